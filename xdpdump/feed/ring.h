/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The last bytes of a stream, at positions that only grow. The same memory is mapped twice, one
 * mapping behind the other, so that any part of it is contiguous.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct feed_ring {
	uint8_t *memory;
	size_t size;
	uint64_t head; /* position of the next byte */
};

/* size: a power of two, and a multiple of the page size. Returns 0 or -errno. */
int feed_ring_open(struct feed_ring *r, size_t size);
static inline uint8_t *feed_ring_at(const struct feed_ring *r, uint64_t position)
{
	return r->memory + (position & (r->size - 1));
}
void feed_ring_put(struct feed_ring *r, const void *bytes, size_t n);
