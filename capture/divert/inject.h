/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sending: by the AF_XDP socket of a capture, which passes no hook, or by a packet socket. The
 * capture reads none of it, as with an ordinary packet socket; what comes back it reads.
 */
#ifndef PCAP_AFXDP_INJECT_H
#define PCAP_AFXDP_INJECT_H

#include "capture/ring/ring.h"
#include "capture/attach/attachment.h"
#include "xsk_tx.h"

struct inject {
	struct xsk_tx tx;
	uint64_t cookie; /* of the packet socket, by which the program knows its frames; 0: none */
	bool announced;	 /* the program has the cookie */
	/* Frames so far: by the AF_XDP socket, and by the packet socket. */
	uint64_t by_socket, by_packet;
};

void inject_open(struct inject *i, const struct attachment *a);
/* x was opened to send; NULL: none was, and nothing is done. -errno. */
int inject_add_socket(struct inject *i, struct xsk *x, uint32_t frame_max);
/* Before the socket is closed. Again is allowed. */
void inject_close(struct inject *i);
/*
 * As xsk_tx_send(), but the length on success. -EOPNOTSUPP: not a frame for the socket, or there
 * is none.
 */
int inject_by_socket(struct inject *i, const void *frame, size_t length, bool wait);
/* rings: of the program that sees what goes out. The length, or -errno. */
int inject_by_packet(struct inject *i, const struct attachment *a, const struct ring_set *rings,
		     const void *frame, size_t length);

#endif
