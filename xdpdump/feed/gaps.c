/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gaps.h"
#include "pcapng/read.h"
#include "pcapng/write.h"
#include "util/less.h"

#define STATISTICS_FIXED 12

size_t gaps_block(const uint8_t *block, size_t left, uint32_t *type)
{
	struct pcapng_reader r = {.at = block, .end = block + left};
	struct pcapng_block b;

	if (!pcapng_next(&r, &b))
		return 0;
	*type = b.type;
	return b.length + BLOCK_LENGTH_MIN;
}

bool gaps_is_packet(uint32_t type)
{
	return type == BLOCK_ENHANCED_PACKET;
}

void gaps_add(struct gaps *g, const uint8_t *packet_block)
{
	uint32_t id;

	memcpy(&id, packet_block + 2 * sizeof(uint32_t), sizeof(id));
	g->of[id < GAPS_INTERFACES ? id : GAPS_INTERFACES - 1]++;
	g->lost++;
	g->any = true;
}

void gaps_begin_section(struct gaps *g)
{
	*g = (struct gaps){.lost = g->lost, .told = g->lost};
}

void gaps_begin_reader(struct gaps *g)
{
	g->any = gaps_are_untold(g);
	for (size_t i = 0; i < GAPS_INTERFACES; i++) {
		g->of[i] -= g->told_of[i];
		g->told_of[i] = 0;
	}
}

/* What a statistics block has about an interface, by pointers into the block; NULL: not there. */
struct numbers {
	uint32_t id;
	const uint8_t *dropped, *delivered;
	bool is_gap; /* it has only a comment and the number dropped, as gaps_tell() makes them */
};

/* Returns false if it is no statistics block. */
static bool read_numbers(struct numbers *to, const uint8_t *block, size_t n)
{
	struct pcapng_reader r = {.at = block, .end = block + n};
	struct pcapng_options options;
	struct pcapng_option o;
	struct pcapng_block b;
	bool has_others = false;

	*to = (struct numbers){0};
	if (!pcapng_next(&r, &b) || b.type != BLOCK_STATISTICS || b.length < STATISTICS_FIXED)
		return false;
	to->id = pcapng_u32(b.body, false);
	options = pcapng_options(&b, STATISTICS_FIXED);
	while (pcapng_next_option(&options, &o)) {
		if (o.code == ISB_OSDROP && o.length == sizeof(uint64_t))
			to->dropped = o.value;
		else if (o.code == ISB_USRDELIV && o.length == sizeof(uint64_t))
			to->delivered = o.value;
		has_others |= o.code != OPT_COMMENT && o.code != ISB_OSDROP;
	}
	to->is_gap = to->dropped && !has_others;
	return true;
}

static void set(uint8_t *block, const uint8_t *place, uint64_t n)
{
	memcpy(block + (place - block), &n, sizeof(n));
}

void gaps_correct(const struct gaps *g, uint8_t *block, size_t n)
{
	struct numbers had;
	uint64_t missing;

	if (!read_numbers(&had, block, n) || had.id >= GAPS_INTERFACES)
		return;
	missing = had.is_gap ? g->told_of[had.id] : g->of[had.id];
	if (had.dropped)
		set(block, had.dropped, pcapng_u64(had.dropped, false) + missing);
	if (had.delivered)
		set(block, had.delivered, less(pcapng_u64(had.delivered, false), missing));
}

bool gaps_is_told_by(const uint8_t *block, size_t left)
{
	struct numbers has;

	return read_numbers(&has, block, left) && has.is_gap;
}

void gaps_take_over(struct gaps *g, const uint8_t *block, size_t n)
{
	struct numbers has;

	if (read_numbers(&has, block, n) && has.is_gap && has.id < GAPS_INTERFACES)
		g->upstream[has.id] = pcapng_u64(has.dropped, false);
}

void gaps_tell(struct gaps *g, struct bytes *to, uint64_t time, const char *why)
{
	char text[160];

	for (uint32_t id = 0; id < GAPS_INTERFACES && gaps_are_untold(g); id++) {
		uint64_t n = g->of[id] - g->told_of[id];

		if (!n)
			continue;
		if (to->room - to->used < PCAPNG_GAP_SIZE)
			return;
		snprintf(text, sizeof(text), "%" PRIu64 " packets are missing here: %s", n, why);
		pcapng_put_gap(to, id, time, g->upstream[id] + g->of[id], text);
		g->told_of[id] = g->of[id];
		g->told += n;
	}
}
