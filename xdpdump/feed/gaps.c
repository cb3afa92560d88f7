/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gaps.h"
#include "pcapng/read.h"
#include "pcapng/write.h"

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

static bool read_statistics(const uint8_t *block, size_t n, struct pcapng_block *b)
{
	struct pcapng_reader r = {.at = block, .end = block + n};

	return pcapng_next(&r, b) && b->type == BLOCK_STATISTICS && b->length >= STATISTICS_FIXED;
}

static void correct(uint8_t *value, uint16_t code, uint64_t missing)
{
	uint64_t n;

	memcpy(&n, value, sizeof(n));
	if (code == ISB_OSDROP)
		n += missing;
	else
		n -= missing < n ? missing : n;
	memcpy(value, &n, sizeof(n));
}

void gaps_correct(const struct gaps *g, uint8_t *block, size_t n)
{
	struct pcapng_options options;
	struct pcapng_option o;
	struct pcapng_block b;
	const uint64_t *missing;
	uint32_t id;

	if (!read_statistics(block, n, &b))
		return;
	missing = gaps_is_told_by(block, n) ? g->told_of : g->of;
	id = pcapng_u32(b.body, false);
	options = pcapng_options(&b, STATISTICS_FIXED);
	while (id < GAPS_INTERFACES && pcapng_next_option(&options, &o))
		if ((o.code == ISB_OSDROP || o.code == ISB_USRDELIV) &&
		    o.length == sizeof(uint64_t))
			correct(block + (o.value - block), o.code, missing[id]);
}

bool gaps_is_told_by(const uint8_t *block, size_t left)
{
	struct pcapng_options options;
	struct pcapng_option o;
	struct pcapng_block b;
	bool tells = false;

	if (!read_statistics(block, left, &b))
		return false;
	options = pcapng_options(&b, STATISTICS_FIXED);
	while (pcapng_next_option(&options, &o)) {
		if (o.code != OPT_COMMENT && o.code != ISB_OSDROP)
			return false;
		tells |= o.code == ISB_OSDROP;
	}
	return tells;
}

void gaps_take_over(struct gaps *g, const uint8_t *block, size_t n)
{
	struct pcapng_options options;
	struct pcapng_option o;
	struct pcapng_block b;
	uint32_t id;

	if (!gaps_is_told_by(block, n) || !read_statistics(block, n, &b))
		return;
	id = pcapng_u32(b.body, false);
	options = pcapng_options(&b, STATISTICS_FIXED);
	while (id < GAPS_INTERFACES && pcapng_next_option(&options, &o))
		if (o.code == ISB_OSDROP && o.length == sizeof(uint64_t))
			g->upstream[id] = pcapng_u64(o.value, false);
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
