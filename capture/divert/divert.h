/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* engine=divert by AF_XDP sockets, one for each receive queue. */
#ifndef PCAP_AFXDP_DIVERT_H
#define PCAP_AFXDP_DIVERT_H

#include "capture/attach/facts.h"
#include "capture/ring/ring.h"

struct divert {
	struct xsk *sockets;
	unsigned count;
	unsigned zero_copy; /* so many of them */
	bool foreign;	    /* set before it is opened: the program is not ours */
	bool owns;	    /* set once the capture is open: borrowed sockets are closed */
};

/*
 * Open a socket on each queue that o->queues names, and put it into the XSKMAP map; with the
 * program attached, as some drivers change their queues then. f says how many there were before;
 * asks_driver: the program asks the driver about frames.
 * Sockets that o names are bound in place of ones of our own, and are in a map already.
 * What is sent to a socket waits in it: see ring_set_add(). Where o does not ask for sockets, each
 * has zero-copy, or none is opened. -errno with err written.
 */
int divert_open(struct divert *d, const struct afxdp_options *o, const struct facts *f, int map,
		bool asks_driver, char *err, size_t size);
/* For the rings: are the queues that o names there? -errno with err written. */
int divert_check_queues(const struct afxdp_options *o, const struct facts *f, char *err,
			size_t size);
/* Again is allowed. */
void divert_close(struct divert *d);
/* Does the driver want its sockets gone before the program, not after it? */
bool divert_closes_first(const struct facts *f);
/* The one that sends; NULL: none has a queue to send by. */
struct xsk *divert_sender(const struct divert *d);
/* The longest frame that an interface of this MTU may bring or take, tags included. */
uint32_t divert_frame_max(const struct facts *f);
/* "2 queues, zero-copy" */
void divert_describe(const struct divert *d, char *text, size_t size);
/* What the sockets have delivered, and have lost. */
void divert_count(const struct divert *d, struct afxdp_stats *s, uint64_t *received);

#endif
