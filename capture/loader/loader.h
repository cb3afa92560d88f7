/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The loader: a small process that keeps the privilege to load BPF programs after the application
 * has dropped it. It also opens attachments for processes without privilege. It starts when a
 * capture is opened, and ends when this side of its socket closes, however the application ends.
 * The application does not notice: no SIGCHLD, nothing for its wait().
 */
#pragma once

#include "capture/attach/program/image.h"
#include "capture/attach/attachment.h"
#include "capture/loader/loader_protocol.h"

struct loader {
	int socket; /* -1: not running */
	/* Read end of a pipe; only the loader has the write end. Closed when it ends; what comes is
	 * struct loader_news. Not blocking. */
	int alive;
	int alive_there;	  /* number of the write end in the loader */
	int pid;		  /* 0: not known */
	bool helpless;		  /* loader_open(): it did not start, or lacks the privilege too */
	bool unfinished;	  /* a swap goes on: call loader_settle() */
	uint32_t asked, answered; /* by loader_renew() with wait */
};

/*
 * Start the process, with a copy of the images of p, and of the spare one. When it ends it also
 * puts back what the attachment has changed about the interface. -errno with err written. It needs
 * a few ms to begin, and this does not wait: call loader_started() later, before any other
 * function.
 */
int loader_start(struct loader *l, const struct attachment *a, const struct program *p, char *err,
		 size_t size);
/* Wait until it has begun, 20 s at most. -errno with err written, and it is stopped: -EPROTO: it is
 * of another version; -EPIPE: no answer; or why it could not be started. */
int loader_started(struct loader *l, char *err, size_t size);
/*
 * For a process without the privilege to open an attachment: the loader opens it, and sends it
 * here. It has the privilege if root runs it, or by its file's capabilities. It stays, to swap
 * filters. Of p, which is not loaded, what became of the filter of o is written: as by
 * first_load(). -errno with err written, and it is stopped; l->helpless: it could not do better
 * than this process.
 */
int loader_open(struct loader *l, const struct afxdp_options *o, struct attachment *a,
		struct program *p, char *err, size_t size);
/* The file of the loader. PCAP_AFXDP_LOADER names another, but not under setuid or file
 * capabilities. */
const char *loader_path(void);
/*
 * Start a process that reads the files of s again when they change. Map: their table. It has no
 * privilege, only the rights of this process's user. Then as loader_start().
 */
int loader_start_sets(struct loader *l, struct loader_sets *s, char *err, size_t size);
/*
 * Have it read the files now, within 20 s; without wait, at some time from now on. 0, with what
 * there is to tell in err, or ""; -errno: the table stays as it was, and err says why. -ETIMEDOUT:
 * it still reads. -EPIPE: it has ended; err is "".
 */
int loader_renew(struct loader *l, bool wait, char *err, size_t size);
/*
 * Close the socket, and wait until the process has ended: 200 ms at most, and if it has become a
 * child of this process, another second. Again is allowed.
 */
void loader_stop(struct loader *l);
/*
 * image_swap_all() in the loader, within 20 s. -EPIPE: it is gone, with the swap done or not.
 * early: if the kernel then waits for a grace period, return once the first program is loaded;
 * l->unfinished says that the swap goes on.
 */
int loader_swap(struct loader *l, const struct sock_filter *f, unsigned n, uint32_t generation,
		bool early, enum afxdp_level *level, char **log);
/* The programs have had this filter since they were attached: for a change of hook. */
void loader_remember(struct loader *l, const struct sock_filter *f, unsigned n,
		     uint32_t generation);
/*
 * The result of such a swap, 0 or -errno, and the level reached. -EAGAIN, without wait: it still
 * goes on. With wait, wait for it, 20 s at most.
 */
int loader_settle(struct loader *l, bool wait, enum afxdp_level *level);
