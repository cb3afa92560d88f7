/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sending: through an AF_XDP socket of the capture, where frames pass no hook, or through a packet
 * socket. As with an ordinary packet socket, the capture does not record what it sends, but records
 * it if it comes back.
 */
#pragma once

#include "capture/ring/ring.h"
#include "capture/attach/attachment.h"
#include "xsk_tx.h"

struct inject {
	struct xsk_tx tx;
	uint64_t cookie; /* of the packet socket: the program leaves its frames out; 0: none */
	bool announced;	 /* the control pages have the cookie */
	/* Frames sent so far. */
	uint64_t by_socket, by_packet;
};

void inject_open(struct inject *i, const struct attachment *a);
/* Send through x, which was opened for sending; NULL: through no socket. Returns 0 or -ENOMEM. */
int inject_add_socket(struct inject *i, struct xsk *x, uint32_t frame_max);
/* Call it before the socket is closed. May be called again. */
void inject_close(struct inject *i);
/*
 * As xsk_tx_send(), but returns the length on success. Also returns -EOPNOTSUPP if there is no
 * socket, or it cannot send a frame of that length.
 */
int inject_by_socket(struct inject *i, const void *frame, size_t length, bool wait);
/* rings: those of the program that sees sent frames. Returns the length, or -errno. */
int inject_by_packet(struct inject *i, const struct attachment *a, const struct ring_set *rings,
		     const void *frame, size_t length);
