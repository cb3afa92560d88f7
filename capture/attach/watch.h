/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Is the interface still there, and are our programs still attached to it? */
#pragma once

#include <linux/types.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "bpf/layout.h"
#include "capture/attach/facts/dropped.h"

struct mnl_socket;
struct attachment;

#define WATCH_COMERS 4 /* the user is told of at most this many programs on each side */

/* Each notice is written once, so that other threads may read it. */
enum watch_notice {
	WATCH_BLIND,
	WATCH_HEADROOM,
	WATCH_FILTER,
	WATCH_BEFORE,
	WATCH_BEHIND = WATCH_BEFORE + WATCH_COMERS,
	WATCH_NOTICES = WATCH_BEHIND + WATCH_COMERS
};

struct watch {
	struct attachment *attachment;
	struct mnl_socket *asks; /* a socket in the namespace of the opening; NULL: ask in the
				    current namespace */
	bool traces;		 /* the programs trace another XDP program */
	uint32_t holder;	 /* id of the program in the XDP hook when the capture was opened */
	atomic_flag asking;	 /* a thread is using asks, said and attachment->facts */
	uint64_t said;		 /* the interface's counter in the last answer */
	_Atomic uint64_t nic_dropped; /* at the opening, and its growth since */
	struct dropped dropped;	      /* where the counter is read instead, if open */
	int sides[SIDES];	      /* rx_packets and tx_packets in /sys; -1: not available */
	uint64_t counted[SIDES];      /* ... as of the last look */
	int loader;		      /* our copy of the pipe of watch_process(); -1: none */
	bool looked_after;	      /* the loader will tell when a link is detached */
	bool detached;		      /* it has told so */
	int error;		      /* why another hook could not be used, after it was tried */
	_Atomic uint64_t missed; /* frames that came at that hook before the program was there */
	const struct beside *beside;			/* others at tc, mapped; or NULL */
	bool told[WATCH_NOTICES], shown[WATCH_NOTICES]; /* written; was in .notice */
	uint32_t before, behind; /* the last ones in beside that the user was told of */
	/* For a user: the latest notice of what was found out since the opening, or NULL;
	 * atomic. */
	const char *notice;
	char notices[WATCH_NOTICES][AFXDP_ERROR_SIZE];
};

/* attachment: that of an open capture; it must stay until watch_close(). */
void watch_open(struct watch *w, struct attachment *attachment, bool traces);
/*
 * Also watch the process that has the other end of this pipe, because it keeps what the capture
 * needs. The pipe stays the caller's; -1: watch none. Returns 0 or -errno.
 */
int watch_process(struct watch *w, int pipe);
/* May be called again. */
void watch_close(struct watch *w);
/* Read w->nic_dropped from /sys from now on, if that is possible. */
void watch_counters(struct watch *w, const char *ifname);
/* Open the counters for watch_is_silent(). Call it if nobody else checks whether the programs are
 * still attached. */
void watch_sides(struct watch *w, const char *ifname);
/*
 * Has the interface counted no frame of this side since the last call? Then none is missing, and
 * nobody needs to be asked. False also if that is not known.
 */
bool watch_is_silent(struct watch *w, enum side side);
/*
 * Close the socket that asks. Call it if a loader tells what happens to the links, /sys tells what
 * was dropped, and the caller stays in its network namespace: then the kernel is asked only once,
 * at the end.
 */
void watch_ask_seldom(struct watch *w);
/*
 * Read w->nic_dropped, or ask the kernel for it, in any thread or signal handler. On -errno it
 * keeps its value: -EBUSY: another thread is asking; -ENODEV: the interface is gone.
 */
int watch_refresh(struct watch *w);
/*
 * Returns 0: all is well, or the kernel does not say; -ENODEV: the interface has disappeared;
 * -ENOLINK: somebody else has detached the programs, or the traced program has left the hook;
 * -EOWNERDEAD: the loader has ended; or w->error. attached: the caller knows that the programs are
 * attached, and the kernel is not asked.
 */
int watch_look(struct watch *w, bool attached);
