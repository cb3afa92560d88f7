/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdlib.h>

#include "kafka/keys.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"

#define FEW_LEAST 64

struct links {
	uint16_t *of; /* link type of each interface */
	size_t count;
};

static bool take_interface(struct links *l, const struct pcapng_block *b)
{
	bool is_full = (l->count & (l->count - 1)) == 0;
	uint16_t *more = l->of;

	if (b->length < sizeof(*more))
		return false;
	if (is_full)
		more = reallocarray(l->of, l->count ? 2 * l->count : 1, sizeof(*more));
	if (!more)
		return false;
	l->of = more;
	l->of[l->count++] = pcapng_u16(b->body, b->swapped);
	return true;
}

static bool take_packet(struct index_builder *to, const struct links *l,
			const struct pcapng_block *b)
{
	struct pcapng_packet p;

	if (!pcapng_packet_read(&p, b) || p.interface_id >= l->count)
		return false;
	index_packet(to, 0, l->of[p.interface_id], p.frame, p.caplen);
	return true;
}

static bool take_block(struct index_builder *to, struct links *l, const struct pcapng_block *b)
{
	if (pcapng_is_packet(b->type))
		return take_packet(to, l, b);
	if (b->type == BLOCK_INTERFACE)
		return take_interface(l, b);
	return b->type != BLOCK_NAMES && b->type != BLOCK_SECRETS;
}

static bool take_all(struct index_builder *to, struct links *l, struct pcapng_reader r)
{
	struct pcapng_block b;

	index_block(to, 0, 0, 0, false);
	while (pcapng_next(&r, &b))
		if (!take_block(to, l, &b))
			return false;
	return r.at == r.end;
}

/* There can be many small sections, and each has a record: so a small section gets little room. */
static size_t room_for_few(size_t length)
{
	size_t room = length / 1000;

	if (room < FEW_LEAST)
		return FEW_LEAST;
	return room < KEYS_FEW_ROOM ? room : KEYS_FEW_ROOM;
}

void keys_make(const uint8_t *section, size_t length, struct keys *to)
{
	struct links l = {.of = NULL};
	struct index_builder b;

	to->size = to->few_size = 0;
	index_build(&b);
	if (!b.error &&
	    take_all(&b, &l, (struct pcapng_reader){.at = section, .end = section + length})) {
		to->size = index_filter_make(&b, to->all, sizeof(to->all));
		to->few_size = index_filter_make(&b, to->few, room_for_few(length));
	}
	index_drop(&b);
	free(l.of);
}

struct filter {
	const uint8_t *at;
	size_t size;
};

static bool has(const void *context, uint32_t key)
{
	const struct filter *f = context;

	return index_filter_may_have(f->at, f->size, key);
}

bool keys_may_match(const struct condition *c, const uint8_t *filter, size_t size)
{
	const struct filter f = {filter, size};

	return !filter || !index_filter_is_sound(filter, size) || condition_may(c, has, &f);
}
