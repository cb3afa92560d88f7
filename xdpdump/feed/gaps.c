/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gaps.h"
#include "pcapng/read.h"
#include "pcapng/write.h"

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
}

void gaps_begin_section(struct gaps *g)
{
	*g = (struct gaps){.lost = g->lost, .told = g->lost};
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
		pcapng_put_gap(to, id, time, g->of[id], text);
		g->told_of[id] = g->of[id];
		g->told += n;
	}
}
