/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Is the interface still there, and are we still on it? */
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

#define WATCH_COMERS 4 /* so many programs are told of */

/* Each is written once, so that other threads may read them. */
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
	struct mnl_socket *asks; /* in the namespace of the opening; NULL: in the present one */
	bool traces;		 /* the programs trace another XDP program */
	uint32_t holder;	 /* id of the program in the XDP hook at the opening */
	atomic_flag asking;	 /* a thread uses asks, said and attachment->facts */
	uint64_t said;		 /* the interface's counter, as of the last answer */
	_Atomic uint64_t nic_dropped; /* the same at the opening, and what it has grown by */
	struct dropped dropped;	      /* where the answer is read */
	int sides[SIDES];	      /* rx_packets and tx_packets in /sys; -1: not to be had */
	uint64_t counted[SIDES];      /* ... as of the last look */
	int loader;		      /* of watch_process(), our copy; -1: none */
	bool looked_after;	      /* the loader tells when a link was detached */
	bool detached;		      /* it has told so */
	int error;		      /* after another hook was tried: why it cannot be had */
	_Atomic uint64_t missed;      /* frames that came before the program at that hook */
	const struct beside *beside;  /* mapped: others at tc, as the loader finds them; or NULL */
	bool told[WATCH_NOTICES], shown[WATCH_NOTICES]; /* written, and had its turn as notice */
	uint32_t before, behind;			/* as of beside, the last that was told */
	/* For a user, of what was found out since the opening; atomic: the last one, or NULL. */
	const char *notice;
	char notices[WATCH_NOTICES][AFXDP_ERROR_SIZE];
};

/* attachment: of an open capture; it must stay until watch_close(). */
void watch_open(struct watch *w, struct attachment *attachment, bool traces);
/*
 * Also watch the process that has the other end of this pipe, as it keeps what the capture needs.
 * pipe stays the caller's; -1: watch none. -errno.
 */
int watch_process(struct watch *w, int pipe);
/* Again is allowed. */
void watch_close(struct watch *w);
/* Have w->nic_dropped read from /sys, where that is possible. */
void watch_counters(struct watch *w, const char *ifname);
/* Nobody else looks whether the programs are still attached: have watch_is_silent() know. */
void watch_sides(struct watch *w, const char *ifname);
/*
 * Has the interface counted no frame of this side since the last call? Then none is missing, and
 * nobody needs to be asked. False, too, where it is not known.
 */
bool watch_is_silent(struct watch *w, enum side side);
/*
 * A loader says what happens to the links, /sys what was dropped, and the caller stays in its
 * network namespace: close the socket, as what is left to ask comes once, at the end.
 */
void watch_ask_seldom(struct watch *w);
/*
 * Read w->nic_dropped, or ask the kernel for it, in any thread or signal handler. -errno leaves the
 * last value: -EBUSY: another one is asking; -ENODEV: the interface is gone.
 */
int watch_refresh(struct watch *w);
/*
 * 0: all is well, or the kernel does not say; -ENODEV: the interface has disappeared; -ENOLINK:
 * somebody else has detached the programs, or the traced program has left the hook; -EOWNERDEAD:
 * the loader has ended; w->error. attached: this is known, and nobody is asked.
 */
int watch_look(struct watch *w, bool attached);
