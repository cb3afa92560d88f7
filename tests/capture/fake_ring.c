/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fake_ring.h"

#define TAKE_BACK_MAX 4

struct ring_set *fake_rings(unsigned count, uint64_t size)
{
	struct ring_set *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	*s = (struct ring_set){.ring = calloc(count, sizeof(*s->ring)),
			       .due = calloc(count, sizeof(*s->due)),
			       .count = count,
			       .controlled = count};
	ring_set_init(s, size, false);
	assert_non_null(s->ring);
	assert_non_null(s->due);
	for (unsigned i = 0; i < count; i++) {
		s->ring[i].control = aligned_alloc(64, RING_CONTROL_SIZE);
		s->ring[i].data = malloc(s->size);
		assert_non_null(s->ring[i].control);
		assert_non_null(s->ring[i].data);
		memset(s->ring[i].control, 0, RING_CONTROL_SIZE);
	}
	return s;
}

void fake_rings_free(struct ring_set *s)
{
	for (unsigned i = 0; i < s->count; i++) {
		free(s->ring[i].control);
		free((void *)s->ring[i].data);
	}
	free(s->ring);
	free(s->due);
	free(s);
}

static uint8_t fake_byte(uint64_t number, uint32_t offset)
{
	return (uint8_t)(number * 131 + offset * 7);
}

static void write_record(uint8_t *at, uint64_t time, uint32_t length, uint64_t number)
{
	uint32_t padded = EPB_PADDED(length), total = (uint32_t)FAKE_OVERHEAD + padded;
	struct epb_header h = {.type = EPB_TYPE,
			       .total_length = total,
			       .time_high = (uint32_t)(time >> 32),
			       .time_low = (uint32_t)time,
			       .caplen = length,
			       .len = length};
	struct epb_options o = {.packetid_option = EPB_OPT_PACKETID,
				.packetid_low = (uint32_t)number,
				.packetid_high = (uint32_t)(number >> 32)};
	struct epb_end end = {.total_length = total};

	memcpy(at, &h, sizeof(h));
	for (uint32_t i = 0; i < length; i++)
		at[sizeof(h) + i] = fake_byte(number, i);
	memcpy(at + sizeof(h) + padded, &o, sizeof(o));
	memcpy(at + sizeof(h) + padded + sizeof(o), &end, sizeof(end));
}

static struct ring_chunk *chunk_of(struct ring_set *s, struct ring_control *c, uint64_t number)
{
	return &c->chunks[number % (s->size >> s->chunk_shift)];
}

static bool next_chunk(struct ring_set *s, struct ring_control *c)
{
	uint64_t tail = __atomic_load_n(&c->tail, __ATOMIC_ACQUIRE) >> s->chunk_shift;
	uint64_t number = c->write >> s->chunk_shift;

	for (int i = 0; i < TAKE_BACK_MAX && c->given_back < tail; i++, c->given_back++)
		c->free[c->free_count++ % RING_CHUNKS_MAX] = chunk_of(s, c, c->given_back)->at;
	__atomic_store_n(&chunk_of(s, c, number)->used,
			 (uint32_t)(c->write - (number << s->chunk_shift)), __ATOMIC_RELAXED);
	if (c->free_count)
		c->place = c->free[--c->free_count % RING_CHUNKS_MAX];
	else if (c->fresh + 1 < s->size >> s->chunk_shift)
		c->place = ++c->fresh << s->chunk_shift;
	else
		return false;
	__atomic_store_n(&chunk_of(s, c, number + 1)->at, c->place, __ATOMIC_RELAXED);
	__atomic_store_n(&c->write, (number + 1) << s->chunk_shift, __ATOMIC_RELAXED);
	return true;
}

bool fake_write(struct ring_set *s, unsigned i, uint64_t time, uint32_t length, uint64_t number)
{
	struct ring_control *c = s->ring[i].control;
	uint64_t total = FAKE_OVERHEAD + EPB_PADDED(length), chunk = 1ull << s->chunk_shift, at;

	if (c->write % chunk + total >= chunk && !next_chunk(s, c)) {
		__atomic_store_n(&c->lost_full, c->lost_full + 1, __ATOMIC_RELAXED);
		return false;
	}
	at = (c->place + c->write % chunk) & (s->size - 1);
	if (at + total <= s->size) /* the program has room behind the ring */
		write_record((uint8_t *)s->ring[i].data + at, time, length, number);
	__atomic_store_n(&c->write, c->write + total, __ATOMIC_RELAXED);
	__atomic_exchange_n(&c->head, c->write, __ATOMIC_SEQ_CST);
	return true;
}

bool fake_takes_bell(struct ring_set *s, unsigned i)
{
	__u32 *wanted = &s->ring[i].control->need_wakeup;

	if (!__atomic_load_n(wanted, __ATOMIC_SEQ_CST))
		return false;
	__atomic_store_n(wanted, 0, __ATOMIC_RELAXED);
	return true;
}

uint64_t fake_check(const struct epb_header *r)
{
	const struct epb_options *o = epb_options(r);
	const struct epb_end *end = (const void *)(o + 1);
	uint64_t number = (uint64_t)o->packetid_high << 32 | o->packetid_low;

	assert_int_equal(r->type, EPB_TYPE);
	assert_int_equal(r->total_length, FAKE_OVERHEAD + EPB_PADDED(r->caplen));
	assert_int_equal(o->packetid_option, EPB_OPT_PACKETID);
	assert_int_equal(end->total_length, r->total_length);
	for (uint32_t i = 0; i < r->caplen; i++)
		if (epb_frame(r)[i] != fake_byte(number, i))
			fail_msg("record %llu: byte %u of %u is wrong", (unsigned long long)number,
				 i, r->caplen);
	return number;
}
