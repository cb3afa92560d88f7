/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The loader: a small process of its own that keeps the privilege to load BPF programs after the
 * application has dropped it, and does nothing else. Started when a capture is opened; ends when
 * this side of its socket closes, however the application ends. The application never gets to know:
 * no SIGCHLD, nothing for its wait().
 */
#ifndef PCAP_AFXDP_LOADER_H
#define PCAP_AFXDP_LOADER_H

#include "capture/attach/image.h"
#include "capture/attach/attachment.h"

struct loader {
	int socket;	 /* -1: not running */
	int alive;	 /* read end of a pipe that nobody but the loader holds the other end of, */
	int alive_there; /* ... under this number */
	int pid;	 /* 0: not known */
	bool helpless;	 /* loader_open(): it did not start, or lacks the privilege as well */
	bool unfinished; /* loader_settle() is to come */
};

/*
 * Start it with its own copy of the images; it also puts back at its end what the attachment has
 * changed about the interface. -errno with err written. It takes a few ms to begin, for which this
 * does not wait: loader_started() has to be called before any other, and may be later.
 */
int loader_start(struct loader *l, const struct attachment *a, const struct image *images,
		 unsigned count, char *err, size_t size);
/* What became of it. -errno with err written. */
int loader_started(struct loader *l, char *err, size_t size);
/*
 * For a process without the privilege to open an attachment: have the loader do it, which regains
 * it if this is run by root, or has it by its file's capabilities. It stays, and does the swapping.
 */
int loader_open(struct loader *l, const struct afxdp_options *o, struct attachment *a, char *err,
		size_t size);
/* The program that is started. */
const char *loader_path(void);
void loader_stop(struct loader *l);
/*
 * As image_swap_all(), over there. -EPIPE: it is gone, and what became of the swap is not known.
 * early: do not wait for more than the load of the first program, where the kernel would wait for a
 * grace period; l->unfinished says whether it goes on.
 */
int loader_swap(struct loader *l, const struct sock_filter *f, unsigned n, uint32_t generation,
		bool early, enum afxdp_level *level, char **log);
/*
 * What became of that, and the level in the end. -EAGAIN: nothing yet, unless it is to be waited
 * for; else 0 or -errno.
 */
int loader_settle(struct loader *l, bool wait, enum afxdp_level *level);

#endif
