/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sending by the AF_XDP socket of a capture. No hook sees such frames, so they are recorded here,
 * in a ring of this process (ring_set_add_own()), which the reader reads like those of the program.
 * The filter looks at them when they are read.
 */
#ifndef PCAP_AFXDP_INJECT_H
#define PCAP_AFXDP_INJECT_H

#include "ring.h"
#include "wait.h"
#include "xsk_tx.h"

struct inject {
	struct xsk_tx tx;
	/* The own ring; control NULL: what is sent is not wanted. */
	struct ring_control *control;
	uint8_t *data;
	uint64_t ring_size;
	unsigned chunk_shift;
	uint32_t interface_id; /* of its records */
	struct wait *wait;
	/* Frames so far: by the socket, and by the packet socket. */
	uint64_t by_socket, by_packet;
};

/*
 * Before sockets are added to the set. Without a socket that was opened to send (x: NULL) nothing
 * is done, and inject_takes() is false. -errno.
 */
int inject_open(struct inject *i, struct xsk *x, uint32_t frame_max,
		const struct capture_options *o, struct ring_set *rings, struct wait *wait);
/* Before the rings are unmapped and the socket is closed. Again is allowed. */
void inject_close(struct inject *i);
/* Is a frame of this length sent by the socket? */
bool inject_takes(const struct inject *i, size_t length);
/* As xsk_tx_send(), but the length on success. */
int inject_send(struct inject *i, const void *frame, size_t length);

#endif
