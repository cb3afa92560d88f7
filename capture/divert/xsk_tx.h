/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sending through an AF_XDP socket. The buffers lie behind those for receiving; each is ours, in
 * the TX ring, or with the driver until the kernel names it in the completion ring. There is a
 * place in the TX ring for every buffer, so there is a place for each that is free.
 *
 * Used by one thread at a time, which need not be the one that reads.
 */
#ifndef PCAP_AFXDP_XSK_TX_H
#define PCAP_AFXDP_XSK_TX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/ring/xsk.h"

struct xsk_tx {
	struct xsk *xsk; /* NULL: there is none to send by */
	uint64_t *free;	 /* addresses of the buffers that are ours */
	uint32_t free_count;
	uint32_t frame_max; /* longest frame that the interface sends */
	bool pending;	    /* the kernel has not sent all; atomic */
};

/* x was opened to send. -errno. */
int xsk_tx_open(struct xsk_tx *t, struct xsk *x, uint32_t frame_max);
/* Again is allowed; before the socket is closed. */
void xsk_tx_close(struct xsk_tx *t);
/* Is it for this way: a frame of that length? */
bool xsk_tx_takes(const struct xsk_tx *t, size_t length);
/*
 * Send one frame, now. 0: the kernel has it, or has it in its ring and sends it when it can;
 * -EAGAIN: no buffer is free, with wait not even after a second; -ENOBUFS: the driver has dropped
 * it; -EOPNOTSUPP: the interface no longer sends by this queue; -ENETDOWN and others as they come.
 * What has failed is not sent later.
 */
int xsk_tx_send(struct xsk_tx *t, const void *frame, size_t length, bool wait);
/*
 * What the kernel could not take before; is there still some? Costs nothing where there is none.
 * For the thread that reads.
 */
bool xsk_tx_flush(struct xsk_tx *t);

#endif
