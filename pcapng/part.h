/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The part of a frame that is still to be read. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A frame from some header on: len bytes, of which the first caplen were captured. */
struct part {
	const uint8_t *at;
	uint32_t caplen, len;
};

static inline bool part_has(const struct part *p, uint32_t n)
{
	return p->caplen >= n;
}

/* Call this only where part_has() says that the bytes are there. */
static inline uint16_t part_u16(const struct part *p, uint32_t at)
{
	return (uint16_t)(p->at[at] << 8 | p->at[at + 1]);
}

static inline uint32_t part_u32(const struct part *p, uint32_t at)
{
	return (uint32_t)part_u16(p, at) << 16 | part_u16(p, at + 2);
}

/* The same part with the length that its header gives, even if that is longer than before. */
static inline struct part part_of(struct part p, uint32_t len)
{
	p.len = len;
	p.caplen = p.caplen < len ? p.caplen : len;
	return p;
}

/* What follows the first n bytes. */
static inline struct part part_behind(struct part p, uint32_t n)
{
	uint32_t captured = p.caplen < n ? p.caplen : n;

	p.at += captured;
	p.caplen -= captured;
	p.len -= p.len < n ? p.len : n;
	return p;
}
