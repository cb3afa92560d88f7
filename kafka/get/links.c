/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "kafka/get/links.h"
#include "util/command/say.h"
#include "util/command/signals.h"
#include "pcapng/cooked.h"
#include "pcapng/format.h"

#define INTERFACE_FIXED 8
#define TYPES_MAX	32 /* types that are told apart here; others are noticed later */

/* Link types of the interfaces that were asked for. */
struct seen {
	uint16_t type[TYPES_MAX], refused[TYPES_MAX];
	unsigned n, refusals;
};

static bool is_among(const uint16_t *types, unsigned n, uint16_t type)
{
	while (n--)
		if (types[n] == type)
			return true;
	return false;
}

static void see(struct seen *seen, struct output *w, const struct pcapng_block *b)
{
	uint16_t type = pcapng_u16(b->body, b->swapped);

	if (seen->n + seen->refusals == TYPES_MAX || is_among(seen->type, seen->n, type) ||
	    is_among(seen->refused, seen->refusals, type) || !output_wants(w, b))
		return;
	if (output_knows(w, type))
		seen->type[seen->n++] = type;
	else
		seen->refused[seen->refusals++] = type;
}

/* Interfaces come before packets. */
static void see_section(struct seen *seen, struct output *w, const uint8_t *data, size_t length)
{
	struct pcapng_reader r = {.at = data, .end = data + length};
	struct pcapng_block b;

	while (pcapng_next(&r, &b) && !pcapng_is_packet(b.type))
		if (b.type == BLOCK_INTERFACE && b.length >= INTERFACE_FIXED)
			see(seen, w, &b);
}

static int choose(struct output *w, const struct seen *seen)
{
	for (unsigned i = 0; i < seen->n; i++)
		w->link = i ? LINKTYPE_LINUX_SLL2 : output_link_for(seen->type[i]);
	for (unsigned i = 0; seen->n > 1 && i < seen->n; i++) {
		if (output_can_have(w, seen->type[i]))
			continue;
		complain("packets have link types %u and %u, which no program that uses libpcap reads in one file: choose by --interface, or --mixed-links writes both",
			 seen->type[i], seen->type[i ? 0 : 1]);
		return -1;
	}
	return 0;
}

int links_choose(struct output *w, const struct streams *s)
{
	struct seen seen = {.n = 0};

	if (w->link == LINK_EACH)
		return 0;
	for (size_t i = 0; i < s->count && !signals_stop; i++)
		for (size_t j = 0; j < s->stream[i]->count && !signals_stop; j++) {
			const struct piece *p = stream_piece(s->stream[i], j);

			if (p->length)
				see_section(&seen, w, streams_data(s, p), p->length);
		}
	return choose(w, &seen);
}
