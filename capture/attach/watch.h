/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Is the interface still there, and are we still on it? */
#ifndef PCAP_AFXDP_WATCH_H
#define PCAP_AFXDP_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct mnl_socket;
struct attachment;

struct watch {
	struct attachment *attachment;
	struct mnl_socket *asks;      /* after the interface, also when its namespace is not ours */
	bool traces;		      /* the programs are on another XDP program, not at a hook */
	uint32_t holder;	      /* of the XDP hook when the capture was opened */
	atomic_flag asking;	      /* attachment->facts and the socket are somebody's */
	_Atomic uint64_t nic_dropped; /* as of the last answer */
	int keeper;		      /* watch_keeper(); -1: none */
};

/* attachment: of an open capture. */
void watch_open(struct watch *w, struct attachment *attachment, bool traces);
/*
 * The process that has the other end of this pipe keeps what the capture needs: watch it as well.
 * -1: no more. -errno.
 */
int watch_keeper(struct watch *w, int pipe);
/* Again is allowed. */
void watch_close(struct watch *w);
/*
 * Ask the kernel for w->nic_dropped. From any thread, and in a handler: where somebody is asking
 * already, it is what was last known, as it is where the interface is gone. -errno.
 */
int watch_refresh(struct watch *w);
/*
 * 0; -ENODEV: the interface has disappeared; -ENOLINK: somebody else has detached the programs;
 * -EOWNERDEAD: the process that keeps some of it has ended.
 */
int watch_look(struct watch *w);

#endif
