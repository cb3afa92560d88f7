/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Rings that something else has written into, as an application's stray write does: each word of
 * the control page and of records takes values that hurt, then any bytes at full rate. Nothing
 * outside the ring is read, no more records come than were written, and reading ends.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "capture/read/merge.h"
#include "fake_ring.h"
#include "tests/random.h"
#include "util/clock.h"

#define START	 (1700000000 * (uint64_t)NS_PER_SEC)
#define SIZE	 RING_SIZE_MIN
#define WRITTEN	 5000u
#define READ	 1000u
#define ROUND_NS (20 * NS_PER_MS)
#define FIELDS	 offsetof(struct ring_control, free)

static const struct ring_set *rings;
static void *nothing_changed;

static bool is_inside(const struct afxdp_run *run, const struct epb_header *at,
		      const struct epb_lengths *l)
{
	const uint8_t *first = rings->ring[run->ring].data, *record = (const void *)at;
	const uint8_t *end = first + rings->size;

	return record >= first && record < end && l->total <= (size_t)(end - record) &&
	       sizeof(*at) + l->caplen < l->total;
}

/* Reads each byte of a frame, for the sanitizers and the processor to object. */
static unsigned sum_of(const struct epb_header *at, const struct epb_lengths *l)
{
	unsigned sum = 0;

	for (uint32_t i = 0; i < l->caplen; i++)
		sum += epb_frame(at)[i];
	return sum;
}

/* Of one run, max records at most. UINT_MAX: there is no run. */
static unsigned read_run(struct merge *m, unsigned max)
{
	static volatile unsigned sum; /* every byte is read */
	const struct epb_header *at;
	struct epb_lengths l;
	struct afxdp_run run;
	unsigned n = 0;

	if (!merge_run(m, &run))
		return UINT32_MAX;
	run.changed = &nothing_changed;
	for (at = run.first; n < max && afxdp_run_at(&run, at, &l); n++) {
		assert_true(is_inside(&run, at, &l));
		sum = sum + sum_of(at, &l);
		at = (const void *)((const uint8_t *)at + l.total);
	}
	merge_done(m, &run, at);
	return n;
}

/* Returns how many records; each run has one, but for the one that finds the corruption. */
static unsigned read_all(struct merge *m, unsigned max)
{
	unsigned n = 0, empty = 0, got;

	while (n < max && (got = read_run(m, max - n)) != UINT32_MAX) {
		n += got;
		empty += got == 0;
		assert_true(empty < 3);
	}
	return n;
}

/* Two rings, of which a part was read; and what they were, to have them so again. */
struct bench {
	struct ring_set *s;
	struct ring ring[2];
	uint8_t control[2][RING_CONTROL_SIZE];
	struct merge m;
};

static void open_bench(struct bench *b)
{
	b->s = fake_rings(2, SIZE);
	rings = b->s;
	b->m = (struct merge){.rings = b->s};
	for (unsigned n = 0; n < WRITTEN; n++)
		assert_true(fake_write(b->s, n % 2, START + n, 1 + n * 37 % 200, n + 1));
	assert_int_equal(read_all(&b->m, READ), READ);
	memcpy(b->ring, b->s->ring, sizeof(b->ring));
	for (unsigned i = 0; i < 2; i++)
		memcpy(b->control[i], b->s->ring[i].control, RING_CONTROL_SIZE);
}

static void restore(struct bench *b)
{
	memcpy(b->s->ring, b->ring, sizeof(b->ring));
	for (unsigned i = 0; i < 2; i++)
		memcpy(b->s->ring[i].control, b->control[i], RING_CONTROL_SIZE);
}

/* Read all, another merge each time; then more comes, as the program goes on. Returns: was it seen?
 */
static bool read_spoiled(struct bench *b)
{
	struct merge m = b->m;
	unsigned left = WRITTEN - READ, n = read_all(&m, 2 * WRITTEN);

	for (unsigned i = 0; i < 20; i++)
		left += fake_write(b->s, i % 2, START + WRITTEN + i, 60, WRITTEN + i + 1);
	n += read_all(&m, 2 * WRITTEN);
	assert_true(n <= left);
	if (m.corrupted)
		assert_int_equal(read_run(&m, 1), UINT32_MAX);
	return m.corrupted;
}

static uint32_t nasty(uint32_t value, unsigned i, bool *last)
{
	const uint32_t values[] = {0,
				   1,
				   3,
				   4,
				   28,
				   64,
				   RING_CHUNK_MIN - 4,
				   RING_CHUNK_MIN,
				   SIZE - 4,
				   SIZE,
				   0x7fffffff,
				   0x80000000,
				   0xffffff00,
				   0xffffffd0,
				   0xfffffffc,
				   0xffffffff,
				   value + 1,
				   value + 4,
				   value + 64,
				   value + 128,
				   value + RING_CHUNK_MIN,
				   value - 1,
				   value - 4,
				   value - 64,
				   value - RING_CHUNK_MIN,
				   ~value,
				   value << 8,
				   value ^ 0x80000000};
	*last = i + 1 == sizeof(values) / sizeof(values[0]);
	return values[i];
}

/* All values into one word, which is in ring or control page. Returns how many were noticed. */
static unsigned spoil_word(struct bench *b, uint32_t *word)
{
	uint32_t value = *word;
	unsigned seen = 0;
	bool last = false;

	for (unsigned i = 0; !last; i++) {
		*word = nasty(value, i, &last);
		seen += read_spoiled(b);
		*word = value;
		restore(b);
	}
	return seen;
}

static void any_word_of_the_control_page_may_be_spoiled(void **state)
{
	struct bench b;
	unsigned seen = 0;

	(void)state;
	open_bench(&b);
	assert_false(read_spoiled(&b)); /* as it is, it is sound */
	restore(&b);
	for (size_t at = 0; at < FIELDS; at += sizeof(uint32_t))
		seen += spoil_word(&b, (void *)((uint8_t *)b.s->ring[0].control + at));
	print_message("%u of the spoiled control pages were noticed\n", seen);
	assert_true(seen > 100);
	fake_rings_free(b.s);
}

static unsigned spoil_head(struct bench *b, uint32_t low, uint32_t high)
{
	struct ring_control *c = b->s->ring[0].control;
	unsigned seen;

	c->head = (uint64_t)high << 32 | low;
	seen = read_spoiled(b);
	restore(b);
	return seen;
}

static void a_head_that_cannot_be_is_noticed(void **state)
{
	struct bench b;
	uint64_t head;

	(void)state;
	open_bench(&b);
	head = b.s->ring[0].control->head;
	for (unsigned i = 0; i < 64; i++) { /* each bit */
		uint64_t wrong = head ^ 1ull << i;

		if (wrong > head || wrong < b.ring[0].position)
			assert_int_equal(spoil_head(&b, (uint32_t)wrong, (uint32_t)(wrong >> 32)),
					 1);
	}
	fake_rings_free(b.s);
}

/* Header, options and end of a record; of those behind it, for what they are taken for. */
static void spoil_record(struct bench *b, const struct epb_header *r)
{
	uint32_t *words = (uint32_t *)(uintptr_t)r;

	for (uint32_t i = 0; i < r->total_length / sizeof(*words); i++)
		spoil_word(b, words + i);
}

static void any_word_of_a_record_may_be_spoiled(void **state)
{
	const struct epb_header *at;
	unsigned n = 0;
	struct bench b;

	(void)state;
	open_bench(&b);
	at = (const void *)b.s->ring[0].at;
	while (epb_next(at) < (const struct epb_header *)(const void *)b.s->ring[0].end) {
		if (n++ % 200 < 2) /* some, and the last of the chunk */
			spoil_record(&b, at);
		at = epb_next(at);
	}
	spoil_record(&b, at);
	fake_rings_free(b.s);
}

static void lengths_that_cannot_be_are_noticed(void **state)
{
	const uint32_t no_lengths[] = {0, 4, 60, 0x80000000, 0xffffffff, RING_CHUNK_MIN + 4};
	struct epb_header *r;
	struct bench b;

	(void)state;
	open_bench(&b);
	r = (void *)(uintptr_t)b.s->ring[0].at;
	for (unsigned i = 0; i < sizeof(no_lengths) / sizeof(no_lengths[0]); i++) {
		struct epb_header sound = *r;

		r->total_length = no_lengths[i];
		assert_true(read_spoiled(&b));
		*r = sound;
		restore(&b);
		r->caplen = i ? no_lengths[i] + 400 : 0xfffffffd;
		assert_true(read_spoiled(&b));
		*r = sound;
		restore(&b);
	}
	fake_rings_free(b.s);
}

/* The three at once: who writes records, who writes anything anywhere, and the reader. */
struct storm {
	struct ring_set *s;
	bool ends;
	uint64_t written, scribbles;
	uint64_t random;
	bool records_only;
	pthread_t writer, scribbler;
};

static void *write_records(void *data)
{
	struct storm *t = data;

	for (uint64_t n = 1; !__atomic_load_n(&t->ends, __ATOMIC_RELAXED); n++) {
		uint32_t length = 1 + (uint32_t)(n * 7919 % 200);

		/* Counted before: what is read has been written. */
		__atomic_fetch_add(&t->written, 1, __ATOMIC_SEQ_CST);
		fake_write(t->s, 0, START + n, length, n);
	}
	return NULL;
}

static void *scribble(void *data)
{
	struct storm *t = data;
	uint32_t *control = (void *)t->s->ring[0].control;
	uint32_t *records = (void *)(uintptr_t)t->s->ring[0].data;

	while (!__atomic_load_n(&t->ends, __ATOMIC_RELAXED)) {
		uint64_t r = random_next(&t->random), shift = r >> 59;
		bool in_records = t->records_only || r & 1;
		uint32_t *to = in_records ? records + (r >> 8) % (2 * RING_CHUNK_MIN / 4)
					  : control + (r >> 8) % (FIELDS / 4);

		__atomic_store_n(to, (uint32_t)(random_next(&t->random) >> (shift & 31)),
				 __ATOMIC_RELAXED);
		t->scribbles++;
		for (volatile unsigned i = 0; i < (unsigned)(r >> 40) % 4096; i++)
			;
	}
	return NULL;
}

static unsigned weather(struct storm *t, unsigned *noticed)
{
	struct merge m = {.rings = t->s};
	uint64_t end = clock_monotonic() + ROUND_NS;
	unsigned n = 0, got;

	assert_int_equal(pthread_create(&t->writer, NULL, write_records, t), 0);
	assert_int_equal(pthread_create(&t->scribbler, NULL, scribble, t), 0);
	while (!m.corrupted && clock_monotonic() < end) {
		got = read_run(&m, UINT32_MAX - 1);
		n += got == UINT32_MAX ? 0 : got;
	}
	__atomic_store_n(&t->ends, true, __ATOMIC_RELAXED);
	pthread_join(t->writer, NULL);
	pthread_join(t->scribbler, NULL);
	*noticed += m.corrupted;
	return n;
}

static void a_storm_of_stray_writes_ends_in_one_or_is_outlived(void **state)
{
	const char *wanted = getenv("CORRUPT_ROUNDS");
	unsigned rounds = wanted ? (unsigned)atoi(wanted) : 300, noticed = 0;
	uint64_t read = 0, scribbles = 0;

	(void)state;
	for (unsigned i = 0; i < rounds; i++) {
		struct storm t = {.s = fake_rings(1, SIZE),
				  .random = RANDOM_SEED + i * 7919,
				  .records_only = i % 2};
		unsigned n;

		rings = t.s;
		memset((void *)(uintptr_t)t.s->ring[0].data, 0, SIZE);
		n = weather(&t, &noticed);
		assert_true(n <= t.written);
		read += n;
		scribbles += t.scribbles;
		fake_rings_free(t.s);
	}
	print_message("%u rounds: %llu records read, %llu stray writes, %u noticed\n", rounds,
		      (unsigned long long)read, (unsigned long long)scribbles, noticed);
	assert_true(noticed > rounds / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_word_of_the_control_page_may_be_spoiled),
		cmocka_unit_test(a_head_that_cannot_be_is_noticed),
		cmocka_unit_test(any_word_of_a_record_may_be_spoiled),
		cmocka_unit_test(lengths_that_cannot_be_are_noticed),
		cmocka_unit_test(a_storm_of_stray_writes_ends_in_one_or_is_outlived),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%zu passed, %d failed, 0 skipped\n",
	       sizeof(tests) / sizeof(tests[0]) - (size_t)failed, failed);
	return failed != 0;
}
