/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Packets that one reader of a stream does not get. A block for each interface says so in the
 * stream.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes;

#define GAPS_INTERFACES 128 /* those above are counted with the last */

struct gaps {
	uint64_t lost, told; /* packets, of all interfaces */
	bool any;	     /* of this section, and for this reader */
	uint64_t of[GAPS_INTERFACES], told_of[GAPS_INTERFACES];
	uint64_t upstream[GAPS_INTERFACES]; /* as blocks told that came with the stream */
};

/* A block of our own byte order and of so many bytes; 0: it is none. */
size_t gaps_block(const uint8_t *block, size_t left, uint32_t *type);
bool gaps_is_packet(uint32_t type);
void gaps_add(struct gaps *g, const uint8_t *packet_block);
static inline bool gaps_are_untold(const struct gaps *g)
{
	return g->lost != g->told;
}
/* Blocks with the numbers and this text; those that do not fit come later. */
void gaps_tell(struct gaps *g, struct bytes *to, uint64_t time, const char *why);
/* Interfaces are numbered anew: what is untold by now is in g->lost alone. */
void gaps_begin_section(struct gaps *g);
/* A new reader: it has been told of nothing. */
void gaps_begin_reader(struct gaps *g);
/*
 * Statistics of the capture, for this reader: what it did not get is lost, and not delivered. Of
 * what gaps_tell() makes, what it has been told.
 */
void gaps_correct(const struct gaps *g, uint8_t *block, size_t n);
/*
 * Such a block, of who had the stream before: there is one counter for each interface, and who
 * reads takes one that becomes less for one that has begun again.
 */
void gaps_take_over(struct gaps *g, const uint8_t *block, size_t n);
/* Is the block one that gaps_tell() makes? */
bool gaps_is_told_by(const uint8_t *block, size_t left);
