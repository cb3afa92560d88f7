/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * How the reader walks through a ring. Nothing in the ring is trusted, because a stray write of the
 * application may end there; but checks are made per look, chunk or run, not per record.
 */
#include "ring.h"

static const struct ring_chunk *chunk_of(const struct ring_set *s, const struct ring *r,
					 uint64_t number)
{
	return &r->control->chunks[number & ((s->size >> s->chunk_shift) - 1)];
}

static uint64_t chunk_size(const struct ring_set *s)
{
	return 1ull << s->chunk_shift;
}

/*
 * The head grows, by whole words, and by less than the size of the ring. It is never at the start
 * of a chunk. The program has advanced write before, so that is not less.
 */
static bool is_head(const struct ring_set *s, const struct ring *r, uint64_t head)
{
	uint64_t write = __atomic_load_n(&r->control->write, __ATOMIC_RELAXED);

	return head > r->head && head - r->position <= s->size && head % 4 == 0 &&
	       head & (chunk_size(s) - 1) && write >= head && write - r->position <= s->size;
}

void ring_look(const struct ring_set *s, struct ring *r)
{
	uint64_t head;

	if (r->corrupted)
		return;
	head = ring_head(r);
	if (r->socket ? r->socket->corrupted : head != r->head && !is_head(s, r, head))
		ring_give_up(r);
	else
		r->head = head;
}

/* Packets of a ring are numbered as they come: those of a chunk that was used before have lower
 * numbers. */
static bool is_newer(struct ring *r, const struct epb_lengths *l)
{
	const struct epb_options *o = epb_options_behind(ring_record(r), l->caplen);
	uint64_t high = o->packetid_high & 0xfff, id = (high << 32 | o->packetid_low) << 20;
	bool newer = r->number == 1 || (int64_t)(id - r->first_id) > 0; /* they wrap around */

	r->first_id = id;
	return newer;
}

/* position is in another chunk: enter that. */
static bool enter_chunk(const struct ring_set *s, struct ring *r, uint64_t number)
{
	uint32_t at = __atomic_load_n(&chunk_of(s, r, number)->at, __ATOMIC_RELAXED);

	if (at & (chunk_size(s) - 1) || at >= s->size)
		return false;
	r->chunk = r->data + at;
	r->number = number + 1;
	return true;
}

/* How far the records in the chunk go. Returns the size of a chunk if that is invalid. */
static uint64_t used_of(const struct ring_set *s, const struct ring *r, uint64_t number)
{
	uint32_t used;

	if (number == r->head >> s->chunk_shift)
		return r->head & (chunk_size(s) - 1);
	used = __atomic_load_n(&chunk_of(s, r, number)->used, __ATOMIC_RELAXED);
	return used < chunk_size(s) ? used : chunk_size(s);
}

static bool find_record(const struct ring_set *s, struct ring *r)
{
	uint64_t number = r->position >> s->chunk_shift;
	uint64_t place = r->position & (chunk_size(s) - 1), used = used_of(s, r, number);
	bool enters = number + 1 != r->number;
	struct epb_lengths l;

	if (place == used) {
		enters = true;
		place = 0;
		r->position = ++number << s->chunk_shift;
		used = used_of(s, r, number);
	}
	if (used == chunk_size(s) || (enters && !enter_chunk(s, r, number)))
		return false;
	r->at = r->chunk + place;
	r->end = r->chunk + used;
	return epb_measure(ring_record(r), r->end, &l) && (!enters || is_newer(r, &l));
}

static bool find_frame(struct ring *r)
{
	const struct epb_header *record = xsk_find(r->socket, r->position);

	if (!record)
		return false;
	r->at = (const void *)record;
	r->end = r->at + r->socket->length;
	return true;
}

void ring_find(const struct ring_set *s, struct ring *r)
{
	if (r->position != r->head && !(r->socket ? find_frame(r) : find_record(s, r)))
		ring_give_up(r);
}

uint64_t ring_unread(const struct ring_set *s, const struct ring *r)
{
	uint64_t head = ring_published(r->control);
	uint64_t last = head >> s->chunk_shift, bytes = head & (chunk_size(s) - 1);

	for (uint64_t i = ring_counter(&r->control->given_back), n = 0;
	     i < last && n < RING_CHUNKS_MAX; i++, n++)
		bytes += __atomic_load_n(&chunk_of(s, r, i)->used, __ATOMIC_RELAXED);
	return bytes;
}

const struct epb_header *ring_pulled(const struct ring_set *s, const struct ring *r)
{
	/* Pairs with ring_is_awaited(), behind ring_set_head(). */
	uint64_t at = __atomic_load_n(&r->control->pulled, __ATOMIC_ACQUIRE), place;
	uint32_t chunk;

	if (!at--)
		return NULL;
	place = at & (chunk_size(s) - 1);
	chunk = __atomic_load_n(&chunk_of(s, r, at >> s->chunk_shift)->at, __ATOMIC_RELAXED);
	if (chunk & (chunk_size(s) - 1) || chunk >= s->size || place % 4 ||
	    place > chunk_size(s) - sizeof(struct epb_header))
		return NULL;
	return (const void *)(r->data + chunk + place);
}
