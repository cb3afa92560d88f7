/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdbool.h>

#include "kafka/shorten.h"

#define TAIL	     8u	 /* the end of options, and the block's second length */
#define NUMBERS_ROOM 32u /* for each option that says how to read an interface's numbers, once */
#define NAME_ROOM    288u

static bool is_number(uint16_t code)
{
	return code == IF_TSRESOL || code == IF_TSOFFSET || code == IF_FCSLEN;
}

/* Options that are less needed leave room for the others. */
static bool has_room(size_t used, const struct pcapng_option *o, size_t most)
{
	size_t size = 2 * sizeof(uint16_t) + o->length + 3u;

	if (!is_number(o->code))
		size += NUMBERS_ROOM + (o->code == IF_NAME ? 0 : NAME_ROOM);
	return used + size + TAIL <= most;
}

static int copy_option(struct buffer *to, const struct pcapng_option *o, bool swapped)
{
	int e = buffer_u16(to, o->code, swapped);

	if (!e)
		e = buffer_u16(to, o->length, swapped);
	if (!e)
		e = buffer_append(to, o->value, o->length);
	return e ? e : buffer_pad(to);
}

int shorten(struct buffer *to, const struct pcapng_block *b, uint32_t fixed, size_t most)
{
	size_t size = b->length + BLOCK_LENGTH_MIN, from = to->used;
	struct pcapng_options options = pcapng_options(b, fixed);
	struct pcapng_option o;
	struct buffer place;
	int e;

	if (size <= most || b->length < fixed)
		return buffer_append(to, b->body - 8, size);
	e = buffer_append(to, b->body - 8, 8 + fixed);
	while (!e && pcapng_next_option(&options, &o))
		if (has_room(to->used - from, &o, most))
			e = copy_option(to, &o, b->swapped);
	if (!e)
		e = buffer_u32(to, OPT_END, b->swapped);
	size = to->used - from + sizeof(uint32_t);
	if (!e)
		e = buffer_u32(to, (uint32_t)size, b->swapped);
	if (e)
		return e;
	place = (struct buffer){.at = to->at + from + 4, .room = sizeof(uint32_t)};
	buffer_u32(&place, (uint32_t)size, b->swapped);
	return 1;
}
