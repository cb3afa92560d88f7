/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>

#include "kafka/get/gap.h"
#include "util/less.h"

/* Sums are capped, because whoever may write to the topic chooses the numbers. */
void gap_add(struct gap *sum, const struct gap *g)
{
	add_capped(&sum->dropped, g->dropped);
	add_capped(&sum->behind, g->behind);
	add_capped(&sum->lost, g->lost);
	add_capped(&sum->sections, g->sections);
	add_capped(&sum->removed, g->removed);
	add_capped(&sum->unknown, g->unknown);
}

bool gap_is_none(const struct gap *g)
{
	return !(g->dropped | g->behind | g->lost | g->sections | g->removed);
}

uint64_t gap_packets(const struct gap *g)
{
	uint64_t sum = g->dropped;

	add_capped(&sum, g->behind);
	add_capped(&sum, g->lost);
	add_capped(&sum, g->removed);
	return sum;
}

/* Finds the sections that are missing before piece i. For the first piece that can be known only if
 * its stream is read from the beginning. */
static void find_hole(struct gap *g, const struct stream *s, size_t i)
{
	const struct piece *p = stream_piece(s, i), *before = i ? stream_piece(s, i - 1) : NULL;
	uint64_t end = before ? before->end : 0;

	if (!before && s->from_start != p->sequence)
		return;
	g->sections = p->sequence;
	if (before) /* parts of one section have one number */
		g->sections -= before->through + (before->through < p->sequence);
	if (!g->sections && !before)
		return;
	if (g->sections && (p->begin == LABEL_NOT_SAID || end == LABEL_NOT_SAID))
		g->unknown = g->sections;
	else if (p->begin != LABEL_NOT_SAID && end != LABEL_NOT_SAID)
		g->removed = p->begin > end ? p->begin - end : 0;
}

void gap_in_front(struct gap *g, const struct stream *s, size_t i, const struct options *o)
{
	const struct piece *p = stream_piece(s, i);
	struct gap found = {.lost = p->lost};

	if (p->last < o->since)
		return;
	/* What was lost before a stream's first section was captured just before it. */
	if (!i && !p->sequence && p->first >= o->until && o->until != UINT64_MAX)
		return;
	if (i && stream_piece(s, i - 1)->last >= o->until && o->until != UINT64_MAX)
		return;
	find_hole(&found, s, i);
	gap_add(g, &found);
}

void gap_of_stream(struct gap *g, const struct stream *s, const struct options *o)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct piece *p = stream_piece(s, i);
		const struct gap within = {.dropped = p->dropped, .behind = p->behind};

		gap_in_front(g, s, i, o);
		if (options_have_time(o, p->first, p->last))
			gap_add(g, &within);
	}
}

const char *gap_text(const struct gap *g, char to[GAP_ROOM])
{
	const struct {
		uint64_t n;
		const char *what;
	} parts[] = {{g->dropped, "packets dropped by the host"},
		     {g->behind, "packets that pcapng-kafka was too late for"},
		     {g->lost, "packets lost on the way to Kafka"},
		     {g->removed, "packets of sections that are missing"},
		     {g->unknown,
		      "missing sections, of which nobody says how many packets they had"}};
	size_t used = 0;

	to[0] = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && used < GAP_ROOM; i++)
		if (parts[i].n)
			used += (size_t)snprintf(to + used, GAP_ROOM - used, "%s%" PRIu64 " %s",
						 used ? ", " : "", parts[i].n, parts[i].what);
	if (!used)
		snprintf(to, GAP_ROOM, "%" PRIu64 " sections without packets are missing",
			 g->sections);
	return to;
}
