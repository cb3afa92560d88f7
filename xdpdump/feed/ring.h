/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The last bytes of a stream, at positions that only grow. What is there lies in one piece: the
 * same memory stands twice, one behind the other.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct feed_ring {
	uint8_t *memory;
	size_t size;
	uint64_t head; /* where the next byte goes */
};

/* size: a multiple of a page, and a power of two. -errno. */
int feed_ring_open(struct feed_ring *r, size_t size);
static inline uint8_t *feed_ring_at(const struct feed_ring *r, uint64_t position)
{
	return r->memory + (position & (r->size - 1));
}
void feed_ring_put(struct feed_ring *r, const void *bytes, size_t n);
