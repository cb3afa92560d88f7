/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Reads pcapng blocks that lie in memory, in either byte order, of any program. What a block says
 * of lengths is checked before it is believed.
 *
 *	struct pcapng_reader r = {.at = data, .end = data + size};
 *	struct pcapng_block b;
 *
 *	while (pcapng_next(&r, &b))
 *		...
 *	if (r.fault) ...the block at r.at is none; else it is cut, or there is no more.
 */
#pragma once

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pcapng/format.h"

struct pcapng_reader {
	const uint8_t *at, *end; /* what is still to be read */
	bool swapped;		 /* this section is not in the byte order of this machine */
	const char *fault;	 /* why the block at .at is none, in words; NULL: it is sound */
};

struct pcapng_block {
	uint32_t type;
	const uint8_t *body; /* behind type and length */
	uint32_t length;     /* of the body */
	bool swapped;
};

/* One option. It lies in its block. */
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

/* The next whole block. False at the end, at a cut, and at a fault, where r->at stays. */
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

/* The options that begin so many bytes into the body; a fault where the body is shorter. */
static inline struct pcapng_options pcapng_options(const struct pcapng_block *b, uint32_t from)
{
	struct pcapng_options o = {.end = b->body + b->length, .swapped = b->swapped};

	o.at = from <= b->length ? b->body + from : o.end;
	if (from > b->length)
		o.fault = "it is too short";
	return o;
}

/* The next option. False at the end and at a fault. */
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
 * Length of the whole blocks, of our own byte order, at the start of the length bytes at p; adds
 * the packets among them to *packets. A block whose two lengths differ is none.
 */
size_t pcapng_whole_blocks(const uint8_t *p, size_t length, uint64_t *packets);
