/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sending through an AF_XDP socket. The buffers lie behind those for receiving. Each is free, or in
 * the TX ring, or held by the driver until the kernel returns it in the completion ring. The TX
 * ring has a place for every buffer.
 *
 * One thread at a time sends; another one may read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/ring/xsk.h"

struct xsk_tx {
	struct xsk *xsk; /* NULL: none */
	uint64_t *free;	 /* addresses of free buffers */
	uint32_t free_count;
	uint32_t frame_max; /* the longest frame that the interface sends */
	bool pending;	    /* the kernel has not taken all frames yet; atomic */
};

/* x was opened with .sends. Returns 0 or -ENOMEM. */
int xsk_tx_open(struct xsk_tx *t, struct xsk *x, uint32_t frame_max);
/* Call it before the socket is closed. May be called again. */
void xsk_tx_close(struct xsk_tx *t);
/* Is there a socket that can send a frame of that length? */
bool xsk_tx_takes(const struct xsk_tx *t, size_t length);
/*
 * Send one frame. Returns 0: the kernel has taken it, or will take it from the ring; -EAGAIN: no
 * buffer is free, with wait not even after a second; -ENOBUFS: the driver dropped it; -EOPNOTSUPP:
 * the interface no longer has this queue; -ENETDOWN, -ENXIO. A frame is not sent after an error.
 */
int xsk_tx_send(struct xsk_tx *t, const void *frame, size_t length, bool wait);
/*
 * Offer the kernel again what it could not take. Returns true if it still has not taken all. Costs
 * nothing if nothing is pending. Called by the thread that reads.
 */
bool xsk_tx_flush(struct xsk_tx *t);
