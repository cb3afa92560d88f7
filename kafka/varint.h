/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Numbers in as few bytes as they need: 7 bits per byte, the lowest first (LEB128). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VARINT_ROOM 10

static inline size_t varint_put(uint8_t to[VARINT_ROOM], uint64_t n)
{
	size_t used = 0;

	for (; n > 0x7f; n >>= 7)
		to[used++] = (uint8_t)n | 0x80;
	to[used++] = (uint8_t)n;
	return used;
}

struct varint_reader {
	const uint8_t *at, *end;
};

/* Reads a number. Returns false if it does not end, or has more than 64 bits. */
static inline bool varint_take(struct varint_reader *r, uint64_t *n)
{
	*n = 0;
	for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
		uint8_t byte = *r->at++;

		if (shift == 63 && byte > 1)
			return false;
		*n |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}
