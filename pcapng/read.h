/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Reads pcapng blocks from memory, in either byte order, written by any program. The lengths in a
 *block are checked before they are used.
 *
 *	struct pcapng_reader r = {.at = data, .end = data + size};
 *	struct pcapng_block b;
 *
 *	while (pcapng_next(&r, &b))
 *		...
 *	if (r.fault) ...the block at r.at is malformed; else it is cut off, or there is no more.
 */
#pragma once

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pcapng/format.h"

struct pcapng_reader {
	const uint8_t *at, *end; /* the bytes still to be read */
	bool swapped;		 /* this section has the other byte order */
	const char *fault;	 /* what is wrong with the block at .at, in words; NULL: nothing */
};

struct pcapng_block {
	uint32_t type;
	const uint8_t *body; /* after type and length */
	uint32_t length;     /* of the body */
	bool swapped;
};

/* One option. value points into its block. */
struct pcapng_option {
	uint16_t code, length;
	const uint8_t *value;
};

/* The options of a block that are still to be read. */
struct pcapng_options {
	const uint8_t *at, *end;
	bool swapped;
	const char *fault;
};

/* Get the next whole block. Returns false at the end, at a block that is cut off, and at a fault;
 * r->at then stays where it is. */
bool pcapng_next(struct pcapng_reader *r, struct pcapng_block *b);

/* Numbers at any place in a block, in the byte order of its section. */
static inline uint16_t pcapng_u16(const uint8_t *at, bool swapped)
{
	uint16_t v;

	memcpy(&v, at, sizeof(v));
	return swapped ? bswap_16(v) : v;
}

static inline uint32_t pcapng_u32(const uint8_t *at, bool swapped)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return swapped ? bswap_32(v) : v;
}

static inline uint64_t pcapng_u64(const uint8_t *at, bool swapped)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return swapped ? bswap_64(v) : v;
}

/* The options that begin at offset from in the body. If the body is shorter, fault is set. */
static inline struct pcapng_options pcapng_options(const struct pcapng_block *b, uint32_t from)
{
	struct pcapng_options o = {.end = b->body + b->length, .swapped = b->swapped};

	o.at = from <= b->length ? b->body + from : o.end;
	if (from > b->length)
		o.fault = "it is too short";
	return o;
}

/* Get the next option. Returns false at the end and at a fault. */
static inline bool pcapng_next_option(struct pcapng_options *o, struct pcapng_option *option)
{
	size_t left = (size_t)(o->end - o->at), padded;

	if (o->fault || left == 0)
		return false;
	if (left < 4) {
		o->fault = "its options are cut";
		return false;
	}
	option->code = pcapng_u16(o->at, o->swapped);
	option->length = pcapng_u16(o->at + 2, o->swapped);
	option->value = o->at + 4;
	if (option->code == OPT_END) {
		if (option->length || left != 4)
			o->fault = "its end of options is not at the end";
		return false;
	}
	padded = (option->length + 3u) & ~3u;
	if (padded > left - 4) {
		o->fault = "an option exceeds it";
		return false;
	}
	o->at += 4 + padded;
	return true;
}

/*
 * Returns the total length of the whole blocks at the start of the length bytes at p, which are in
 * this machine's byte order. Adds the number of packets in them to *packets. Stops at a block whose
 * two lengths differ.
 */
size_t pcapng_whole_blocks(const uint8_t *p, size_t length, uint64_t *packets);
