/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* engine=divert by AF_XDP sockets, one for each receive queue. */
#pragma once

#include "capture/attach/facts/facts.h"
#include "capture/ring/ring.h"

struct divert {
	struct xsk *sockets;
	unsigned count;
	unsigned zero_copy; /* how many of them use zero-copy */
	bool foreign;	    /* set before divert_open(): the program is not one of ours */
	bool owns; /* divert_close() closes borrowed sockets; set once the capture is open */
};

/*
 * Open a socket on each queue in o->queues, and put it into the XSKMAP map. Sockets that o names
 * are bound instead, and are in a map already. f says how many queues there were before the program
 * was attached: see divert_needs_program(). asks_driver: the program asks the driver about frames.
 * If o does not ask for sockets, either all get zero-copy, or none is opened. Returns 0, or -errno
 * with err written and no socket open: -EINVAL: no such queue, or too many; -EOPNOTSUPP, -EBUSY and
 * others: from bind().
 */
int divert_open(struct divert *d, const struct afxdp_options *o, const struct facts *f, int map,
		bool asks_driver, char *err, size_t size);
/* Does the interface have the queues that o names? Returns 0, or -EINVAL with err written. */
int divert_check_queues(const struct afxdp_options *o, const struct facts *f, char *err,
			size_t size);
/* May be called again. */
void divert_close(struct divert *d);
/*
 * Does this driver need the program to be attached as long as there are sockets (virtio_net)? It
 * gets more queues with the program. For other drivers the sockets are opened first, so that the
 * card is reset only once.
 */
bool divert_needs_program(const struct facts *f);
/* The socket to send through; NULL: none can send. */
struct xsk *divert_sender(const struct divert *d);
/* The longest frame, including two VLAN tags, that an interface with this MTU receives or sends. */
uint32_t divert_frame_max(const struct facts *f);
/* Write "2 queues, zero-copy". */
void divert_describe(const struct divert *d, char *text, size_t size);
/* Add lost_socket, fill_empty and truncated of all sockets to *s. *received: frames delivered. */
void divert_count(const struct divert *d, struct afxdp_stats *s, uint64_t *received);
