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
#ifndef PCAPNG_READ_H
#define PCAPNG_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The options that begin so many bytes into the body; a fault where the body is shorter. */
struct pcapng_options pcapng_options(const struct pcapng_block *b, uint32_t from);
/* The next option. False at the end and at a fault. */
bool pcapng_next_option(struct pcapng_options *o, struct pcapng_option *option);

/* Numbers at any place in a block, in the byte order of its section. */
uint16_t pcapng_u16(const uint8_t *at, bool swapped);
uint32_t pcapng_u32(const uint8_t *at, bool swapped);
uint64_t pcapng_u64(const uint8_t *at, bool swapped);

/*
 * Length of the whole blocks, of our own byte order, at the start of the length bytes at p; adds
 * the packets among them to *packets. A block whose two lengths differ is none.
 */
size_t pcapng_whole_blocks(const uint8_t *p, size_t length, uint64_t *packets);

#endif
