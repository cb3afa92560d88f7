/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The loader: a small process that keeps the privilege to load BPF programs after the application
 * has dropped it. It also opens attachments for processes without privilege. It starts when a
 * capture is opened, and ends when this side of its socket closes, however the application ends.
 * The application does not notice it: it gets no SIGCHLD, and its wait() finds no child.
 */
#pragma once

#include "capture/attach/program/image.h"
#include "capture/attach/attachment.h"
#include "capture/loader/loader_protocol.h"

struct loader {
	int socket; /* -1: not running */
	/* Read end of a pipe whose write end only the loader has, so that it closes when the loader
	 * ends; struct loader_news comes by it. Non-blocking. */
	int alive;
	int alive_there; /* number of the write end in the loader */
	int pid;	 /* 0: not known */
	bool helpless;	 /* after loader_open(): it did not start, or lacks the privilege too */
	bool unfinished; /* it is still swapping: call loader_settle() */
	uint32_t asked, answered; /* calls of loader_renew() with wait */
};

/*
 * Start the process, with a copy of the images of p, including the spare one. When it ends, it also
 * puts back what the attachment has changed on the interface. Returns 0, or -errno with err
 * written. The process takes a few ms to begin, for which this does not wait: call loader_started()
 * later, before any other function.
 */
int loader_start(struct loader *l, const struct attachment *a, const struct program *p, char *err,
		 size_t size);
/* Wait until it has begun, for 20 s at most. Returns 0; or -errno with err written, and it is
 * stopped: -EPROTO: it is of another version; -EPIPE: no answer; or why it could not be started. */
int loader_started(struct loader *l, char *err, size_t size);
/*
 * For a process without the privilege to open an attachment: the loader opens it, and sends it
 * here. It has the privilege if root runs it, or by its file's capabilities. It stays, to swap
 * filters. p, which is not loaded, gets what became of the filter of o, as from first_load().
 * Returns 0; or -errno with err written, and the loader is stopped. l->helpless: it could do no
 * more than this process.
 */
int loader_open(struct loader *l, const struct afxdp_options *o, struct attachment *a,
		struct program *p, char *err, size_t size);
/* The file of the loader. PCAP_AFXDP_LOADER names another one, but not for set-user-ID programs or
 * those with file capabilities. */
const char *loader_path(void);
/*
 * Start a process that reads the files of s again when they change, into the map that s names. It
 * has no privilege, only the rights of this process's user. Then as loader_start().
 */
int loader_start_sets(struct loader *l, struct loader_sets *s, char *err, size_t size);
/*
 * Make it read the files now, within 20 s; without wait, soon. Returns 0, and err has what there is
 * to tell, or ""; or -errno: the table stays as it was, and err says why. -ETIMEDOUT: it is still
 * reading. -EPIPE: it has ended; err is "".
 */
int loader_renew(struct loader *l, bool wait, char *err, size_t size);
/*
 * Close the socket, and wait until the process has ended: for 200 ms at most, and if it has become
 * a child of this process, for another second. May be called again.
 */
void loader_stop(struct loader *l);
/*
 * image_swap_all() in the loader, within 20 s. -EPIPE: the loader is gone, and may or may not have
 * swapped. early: if the kernel then waits for a grace period, return as soon as the first program
 * is loaded; l->unfinished says that the swap goes on.
 */
int loader_swap(struct loader *l, const struct sock_filter *f, unsigned n, uint32_t generation,
		bool early, enum afxdp_level *level, char **log);
/* Tell the loader that the programs have had this filter since they were attached, in case it
 * changes the hook. */
void loader_remember(struct loader *l, const struct sock_filter *f, unsigned n,
		     uint32_t generation);
/*
 * Get the result of an unfinished swap: 0 or -errno, and the level reached. Without wait, returns
 * -EAGAIN if it still goes on; with wait, waits for 20 s at most.
 */
int loader_settle(struct loader *l, bool wait, enum afxdp_level *level);
