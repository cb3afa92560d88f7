/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Counts packets that one reader of a stream does not get. A statistics block for each interface
 * reports them in the stream.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes;

#define GAPS_INTERFACES 128 /* higher ones are counted as the last */

struct gaps {
	uint64_t lost, told; /* packets of all interfaces */
	bool any;	     /* were any lost in this section, for this reader? */
	uint64_t of[GAPS_INTERFACES], told_of[GAPS_INTERFACES];
	uint64_t upstream[GAPS_INTERFACES]; /* as reported by blocks in the stream we got */
};

/* The length and type of a block in our byte order; 0: left bytes hold no complete block. */
size_t gaps_block(const uint8_t *block, size_t left, uint32_t *type);
bool gaps_is_packet(uint32_t type);
void gaps_add(struct gaps *g, const uint8_t *packet_block);
static inline bool gaps_are_untold(const struct gaps *g)
{
	return g->lost != g->told;
}
/*
 * Write a block for each interface with new losses, with this text. Blocks that do not fit come
 * with the next call.
 */
void gaps_tell(struct gaps *g, struct bytes *to, uint64_t time, const char *why);
/* Interfaces are numbered anew. A loss that was not told before is counted only in g->lost. */
void gaps_begin_section(struct gaps *g);
/* There is a new reader, which has been told nothing. */
void gaps_begin_reader(struct gaps *g);
/*
 * Correct a statistics block for this reader: what it missed was dropped, not delivered. In a block
 * that gaps_tell() made, add what this reader has been told.
 */
void gaps_correct(const struct gaps *g, uint8_t *block, size_t n);
/*
 * Remember a block that an earlier process in the stream made with gaps_tell(): both add to one
 * counter for each interface, because readers take a counter that decreases for one that has begun
 * again.
 */
void gaps_take_over(struct gaps *g, const uint8_t *block, size_t n);
/* Is it a block as gaps_tell() makes them? */
bool gaps_is_told_by(const uint8_t *block, size_t left);
