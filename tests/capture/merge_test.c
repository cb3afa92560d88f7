/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* One stream out of several rings: order, ends of ring and run, the window, clocks that step. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "util/clock.h"
#include "fake_ring.h"
#include "capture/read/merge.h"
#include "tests/random.h"
#include "tests/ranges.h"

#define START	    (1700000000 * (uint64_t)NS_PER_SEC)
#define SMALLEST    RING_SIZE_MIN
#define THREADS	    2
#define PER_THREAD  300000
#define YIELD_EVERY 512 /* which takes some 15 ms where others have the processors */
#define STUCK_NS    (30 * (uint64_t)NS_PER_SEC)

/* What the merge takes for the time; 0: the clock's. */
static uint64_t now, now_monotonic;

uint64_t __real_clock_wall(void);
uint64_t __wrap_clock_wall(void);
uint64_t __wrap_clock_wall(void)
{
	return now ? now : __real_clock_wall();
}

uint64_t __real_clock_monotonic(void);
uint64_t __wrap_clock_monotonic(void);
uint64_t __wrap_clock_monotonic(void)
{
	return now_monotonic ? now_monotonic : __real_clock_monotonic();
}

/* What the merge handed out so far. */
struct seen {
	unsigned count;
	uint64_t number, time; /* of the last record */
	unsigned inversions;   /* records older than the one before */
};

static struct merge merge_of(struct ring_set *s)
{
	return (struct merge){.rings = s};
}

static bool has(const struct afxdp_run *run, const struct epb_header *r)
{
	return (const uint8_t *)r < run->end && epb_time(r) <= run->until;
}

static void see(struct seen *seen, const struct epb_header *r)
{
	seen->number = fake_check(r);
	seen->inversions += seen->count && epb_time(r) < seen->time;
	seen->time = epb_time(r);
	seen->count++;
}

/* Take one run, or max records of it. */
static bool take_run(struct merge *m, struct seen *seen, unsigned max)
{
	const struct epb_header *r;
	struct afxdp_run run;
	unsigned n = 0;

	if (!merge_run(m, &run))
		return false;
	assert_true(has(&run, run.first)); /* a run is never empty */
	for (r = run.first; n < max && has(&run, r); n++) {
		see(seen, r);
		r = epb_next(r);
	}
	merge_done(m, &run, r);
	return true;
}

static void take_all(struct merge *m, struct seen *seen)
{
	while (take_run(m, seen, UINT32_MAX))
		;
}

/* How long the fullest ring takes for RING_HOT, of all that came since the look before. */
static void a_look_tells_how_fast_records_come(void **state)
{
	const uint32_t length = 1500;
	struct ring_set *s = fake_rings(2, 16 * RING_HOT);
	uint64_t most = 0;
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	now_monotonic = START;
	m.looked = START - NS_PER_MS;
	for (unsigned n = 0; most < 4 * RING_HOT; most = ring_head(&s->ring[1]))
		assert_true(fake_write(s, 1, START, length, n++));
	assert_true(fake_write(s, 0, START, length, 0));
	merge_look(&m);
	assert_int_equal(s->hot_ns, RING_HOT * (uint64_t)NS_PER_MS / most);
	take_all(&m, &seen);
	now_monotonic += NS_PER_SEC - 1;
	assert_true(fake_write(s, 0, START, length, 1));
	merge_look(&m);
	assert_true(s->hot_ns > 0);
	take_all(&m, &seen);
	now_monotonic += NS_PER_SEC;
	assert_true(fake_write(s, 0, START, length, 2));
	merge_look(&m);
	assert_int_equal(s->hot_ns, 0);
	now_monotonic = 0;
	fake_rings_free(s);
}

/* It has a record that stirs it when the reader has looked: a later one of another ring waits. */
static void a_ring_that_stirs_is_in_order_with_the_others(void **state)
{
	struct ring_set *s = fake_rings(2, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};
	__u64 bits = 1;

	(void)state;
	s->stirred = &bits;
	assert_true(fake_write(s, 0, START, 40, 0));
	assert_true(fake_write(s, 1, START + 1, 40, 1));
	merge_look(&m);
	assert_int_equal(m.due, 1);
	assert_int_equal(m.live, 1);
	ring_stir(s, 1);
	assert_true(fake_write(s, 0, START + 2, 40, 2));
	merge_look(&m);
	assert_int_equal(m.due, 2);
	take_all(&m, &seen);
	assert_int_equal(m.live, 2);
	bits = 1; /* it counts on: its next record may be under way */
	merge_look(&m);
	assert_int_equal(m.live, 2);
	fake_rings_free(s);
}

static void nothing_comes_of_empty_rings(void **state)
{
	struct ring_set *s = fake_rings(3, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	take_all(&m, &seen);
	assert_int_equal(seen.count, 0);
	assert_false(m.held);
	fake_rings_free(s);
}

/* Lengths that bring every alignment of a record to the ends of chunks, many times round. */
static void one_ring_keeps_its_order_over_its_chunks(void **state)
{
	struct ring_set *s = fake_rings(1, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	for (uint64_t n = 0; n < 30000; n++) {
		assert_true(fake_write(s, 0, START + n, 1 + n * 37 % 1514, n));
		if (n % 7 == 6)
			take_run(&m, &seen, 1 + n % 11);
		while (seen.count + 20 < n)
			take_run(&m, &seen, 3);
	}
	take_all(&m, &seen);
	assert_int_equal(seen.count, 30000);
	assert_int_equal(seen.number, 29999);
	assert_int_equal(seen.inversions, 0);
	fake_rings_free(s);
}

static void a_record_that_does_not_fit_begins_the_next_chunk(void **state)
{
	struct ring_set *s = fake_rings(1, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};
	uint64_t n = 0;

	(void)state;
	while (s->ring[0].control->head < RING_CHUNK_MIN - 200) { /* to just before the end */
		assert_true(fake_write(s, 0, START + n, 40, n));
		n++;
	}
	take_all(&m, &seen);
	assert_int_equal(seen.count, n);
	assert_true(fake_write(s, 0, START + n, 60000, n));
	assert_int_equal(s->ring[0].control->head, RING_CHUNK_MIN + FAKE_OVERHEAD + 60000);
	assert_true(fake_write(s, 0, START + n + 1, 100, n + 1));
	take_all(&m, &seen);
	assert_int_equal(seen.count, n + 2);
	assert_int_equal(seen.number, n + 1);
	assert_int_equal(seen.inversions, 0);
	assert_int_equal(s->ring[0].position, s->ring[0].control->head);
	fake_rings_free(s);
}

/* A chunk is left with one byte free at least: head is never where nothing has been written. */
static void a_record_that_would_fill_the_chunk_begins_the_next(void **state)
{
	const uint32_t each = 1024, left = RING_CHUNK_MIN / each;
	struct ring_set *s = fake_rings(1, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	for (unsigned n = 0; n < left; n++)
		assert_true(fake_write(s, 0, START + n, each - (uint32_t)FAKE_OVERHEAD, n));
	assert_int_equal(s->ring[0].control->head, RING_CHUNK_MIN + each);
	take_all(&m, &seen);
	assert_int_equal(seen.count, left);
	assert_int_equal(seen.inversions, 0);
	fake_rings_free(s);
}

/* What a reader that keeps up makes the program use: two chunks, of however many. */
static void a_reader_that_keeps_up_sees_few_chunks(void **state)
{
	struct ring_set *s = fake_rings(1, 64 << 20);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	for (uint64_t n = 0; n < 20000; n++) {
		assert_true(fake_write(s, 0, START + n, 1500, n));
		take_all(&m, &seen);
	}
	assert_int_equal(seen.count, 20000);
	assert_int_equal(s->ring[0].control->fresh, 1);
	fake_rings_free(s);
}

/* The whole ring can be filled, is read in order, and can be filled again. */
static void a_reader_that_falls_behind_has_the_whole_ring(void **state)
{
	struct ring_set *s = fake_rings(1, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};
	uint64_t n = 0, before;

	(void)state;
	for (int round = 0; round < 5; round++) {
		before = n;
		while (fake_write(s, 0, START + n, 1500, n))
			n++;
		assert_true((n - before) * (FAKE_OVERHEAD + 1500) > SMALLEST - 2 * RING_CHUNK_MIN);
		take_run(&m, &seen, 50); /* a chunk is begun by both */
		take_all(&m, &seen);
		assert_int_equal(seen.count, n);
		assert_int_equal(seen.number, n - 1);
	}
	assert_int_equal(seen.inversions, 0);
	assert_int_equal(s->ring[0].control->fresh, SMALLEST / RING_CHUNK_MIN - 1);
	fake_rings_free(s);
}

static void runs_are_bounded_but_never_empty(void **state)
{
	struct ring_set *s = fake_rings(1, 4 << 20);
	struct merge m = merge_of(s);
	struct afxdp_run run;

	(void)state;
	for (uint64_t n = 0; n < 2000; n++)
		assert_true(fake_write(s, 0, START + n, 1500, n));
	assert_true(merge_run(&m, &run));
	assert_in_range(run.end - (const uint8_t *)run.first, 1, 256 << 10);
	fake_rings_free(s);

	s = fake_rings(1, SMALLEST);
	m = merge_of(s);
	assert_true(fake_write(s, 0, START, 60000, 0));
	assert_true(merge_run(&m, &run));
	assert_true(has(&run, run.first));
	assert_int_equal(run.first->caplen, 60000);
	fake_rings_free(s);
}

static void rings_are_merged_by_time(void **state)
{
	enum { RINGS = 5, RECORDS = 4000 };
	struct ring_set *s = fake_rings(RINGS, 4 << 20);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	srandom(1);
	now = START + 10 * RECORDS + 2 * WINDOW_NS;
	for (uint64_t n = 0; n < RECORDS; n++)
		assert_true(fake_write(s, (unsigned)random() % RINGS, START + 10 * n,
				       1 + (uint32_t)random() % 300, n));
	take_all(&m, &seen);
	assert_int_equal(seen.count, RECORDS);
	assert_int_equal(seen.inversions, 0);
	now = 0;
	fake_rings_free(s);
}

/* As many as a large machine has, some empty; read in parts, and looked at again before the end. */
static void many_rings_are_merged_by_time(void **state)
{
	enum { RINGS = 256, RECORDS = 20000 };
	struct ring_set *s = fake_rings(RINGS, SMALLEST);
	struct merge m = merge_of(s);
	uint64_t random = RANDOM_SEED;
	struct seen seen = {0};

	(void)state;
	for (unsigned n = 0; n < RECORDS; n++) {
		unsigned ring = (unsigned)(random_next(&random) % RINGS);

		assert_true(fake_write(s, ring & ~3u, START + n / 3, 60, n));
	}
	while (take_run(&m, &seen, 1 + (unsigned)(random_next(&random) % 3)))
		if (seen.count % 1000 == 0)
			merge_look(&m);
	assert_false(merge_has_seen(&m));
	assert_int_equal(seen.count, RECORDS);
	assert_int_equal(seen.inversions, 0);
	fake_rings_free(s);
}

/* Between a run and its end another read goes on: the first is behind what was read since. */
static void a_read_within_a_read_keeps_the_order(void **state)
{
	struct ring_set *s = fake_rings(2, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};
	struct afxdp_run outer;

	(void)state;
	for (unsigned n = 0; n < 8; n++)
		assert_true(fake_write(s, n % 2, START + n, 60, n));
	assert_true(merge_run(&m, &outer));
	see(&seen, outer.first);
	merge_done(&m, &outer, epb_next(outer.first));
	take_run(&m, &seen, 1);
	merge_done(&m, &outer, outer.first); /* nothing more of it */
	take_all(&m, &seen);
	assert_int_equal(seen.count, 8);
	assert_int_equal(seen.inversions, 0);
	fake_rings_free(s);
}

static void equal_stamps_on_several_rings_all_come(void **state)
{
	struct ring_set *s = fake_rings(4, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	now = START + 2 * WINDOW_NS;
	for (unsigned n = 0; n < 400; n++)
		assert_true(fake_write(s, n % 4, START, 20, n));
	take_all(&m, &seen);
	assert_int_equal(seen.count, 400);
	now = 0;
	fake_rings_free(s);
}

/* What is younger than the window waits for a ring that may yet bring something older. */
static void young_records_wait_for_the_window(void **state)
{
	struct ring_set *s = fake_rings(2, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	now = START;
	assert_true(fake_write(s, 0, START - WINDOW_NS - 1000, 20, 0));
	assert_true(fake_write(s, 1, START - 100, 20, 2));
	take_all(&m, &seen); /* two rings come to life: a look that is late by a window */
	take_all(&m, &seen);
	assert_int_equal(seen.count, 1);
	assert_true(m.held);
	assert_true(fake_write(s, 0, START - 200, 20, 1)); /* stamped before, published after */
	now = START + WINDOW_NS / 2;
	take_all(&m, &seen);
	assert_int_equal(seen.count, 1);
	now = START + WINDOW_NS;
	take_all(&m, &seen);
	assert_int_equal(seen.count, 3);
	assert_int_equal(seen.number, 2);
	assert_int_equal(seen.inversions, 0);
	assert_false(m.held);
	now = 0;
	fake_rings_free(s);
}

/* Within one look at the heads no run goes further than another ring may still fill in. */
static void a_long_run_stops_at_the_window(void **state)
{
	struct ring_set *s = fake_rings(2, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	now = START;
	assert_true(fake_write(s, 1, START - 10 * WINDOW_NS, 20, 0));
	for (unsigned n = 1; n <= 100; n++)
		assert_true(fake_write(s, 0, START - 2 * WINDOW_NS + n * WINDOW_NS / 25, 20, n));
	take_all(&m, &seen);
	assert_true(seen.time <= START - WINDOW_NS);
	assert_int_equal(seen.count, 26);
	now = START + 4 * WINDOW_NS;
	take_all(&m, &seen);
	assert_int_equal(seen.count, 101);
	assert_int_equal(seen.inversions, 0);
	now = 0;
	fake_rings_free(s);
}

static void a_single_live_ring_waits_for_nothing(void **state)
{
	struct ring_set *s = fake_rings(4, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	now = START;
	assert_true(fake_write(s, 2, START, 20, 0)); /* age 0 */
	take_all(&m, &seen);
	assert_int_equal(seen.count, 1);
	assert_true(fake_write(s, 0, START + 1, 20, 1)); /* the second comes to life */
	take_all(&m, &seen);
	assert_int_equal(seen.count, 1);
	assert_true(m.held);
	now = START + 1 + WINDOW_NS;
	take_all(&m, &seen);
	assert_int_equal(seen.count, 2);
	now = 0;
	fake_rings_free(s);
}

/* The wall clock steps by: records keep their ring's order, all come, and soon. */
static void step(int64_t by, uint64_t patience)
{
	struct ring_set *s = fake_rings(2, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};
	uint64_t after = START + (uint64_t)by;

	now = START;
	for (unsigned n = 0; n < 10; n++)
		assert_true(fake_write(s, n % 2, START + n, 20, n));
	for (unsigned n = 10; n < 20; n++)
		assert_true(fake_write(s, n % 2, after + n, 20, n));
	now = after + 2 * WINDOW_NS;
	take_all(&m, &seen);
	now += patience;
	take_all(&m, &seen);
	if (seen.count != 20)
		fail_msg("a step by %lld ns: %u of 20 came", (long long)by, seen.count);
	now = 0;
	fake_rings_free(s);
}

static void a_clock_that_steps_holds_nothing_for_long(void **state)
{
	(void)state;
	step(-3600 * NS_PER_SEC, 0);
	step(-NS_PER_SEC, 0);
	step(-60 * NS_PER_MS, 60 * NS_PER_MS);
	step(-NS_PER_MS, NS_PER_MS);
	step(NS_PER_MS, 0);
	step(3600 * NS_PER_SEC, 0);
}

static void one_ring_with_a_clock_that_steps_back_keeps_its_order(void **state)
{
	struct ring_set *s = fake_rings(1, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};

	(void)state;
	for (unsigned n = 0; n < 100; n++)
		assert_true(fake_write(s, 0, START - n * NS_PER_SEC, 20, n));
	take_all(&m, &seen);
	assert_int_equal(seen.count, 100);
	assert_int_equal(seen.number, 99);
	fake_rings_free(s);
}

/* Below the boundary records were taken under another filter; a run never lies on both sides. */
static void a_run_ends_where_refining_does(void **state)
{
	struct ring_set *s = fake_rings(1, SMALLEST);
	struct merge m = merge_of(s);
	struct afxdp_run run;

	(void)state;
	for (unsigned n = 0; n < 10; n++) {
		if (n == 4)
			s->ring[0].refine_below = s->ring[0].control->head;
		assert_true(fake_write(s, 0, START + n, 20, n));
	}
	assert_true(merge_run(&m, &run));
	assert_true(run.refine);
	assert_int_equal(run.end - (const uint8_t *)run.first, s->ring[0].refine_below);
	merge_done(&m, &run, (const void *)run.end);
	assert_true(merge_run(&m, &run));
	assert_false(run.refine);
	assert_int_equal(fake_check(run.first), 4);
	fake_rings_free(s);
}

static void records_are_released_when_the_next_run_is_asked_for(void **state)
{
	struct ring_set *s = fake_rings(1, SMALLEST);
	struct ring_control *c = s->ring[0].control;
	struct merge m = merge_of(s);
	struct seen seen = {0};
	uint64_t n = 0;

	(void)state;
	while (fake_write(s, 0, START + n, 1000, n))
		n++;
	assert_int_equal(c->lost_full, 1);
	take_run(&m, &seen, 3);
	assert_int_equal(c->tail, 0); /* an application may still look at them */
	assert_false(fake_write(s, 0, START + n, 1000, n));
	take_run(&m, &seen, 1);
	assert_int_equal(c->tail, 3 * (FAKE_OVERHEAD + 1000));
	while (c->tail < RING_CHUNK_MIN) { /* a chunk is given back as a whole */
		assert_false(fake_write(s, 0, START + n, 1000, n));
		take_run(&m, &seen, 3);
	}
	assert_true(fake_write(s, 0, START + n, 1000, n));
	take_all(&m, &seen);
	assert_int_equal(c->tail, c->head);
	assert_int_equal(seen.count, n + 1);
	fake_rings_free(s);
}

static void leaving_a_run_at_its_start_loses_nothing(void **state)
{
	struct ring_set *s = fake_rings(2, SMALLEST);
	struct merge m = merge_of(s);
	struct seen seen = {0};
	struct afxdp_run run;

	(void)state;
	now = START + 2 * WINDOW_NS;
	for (unsigned n = 0; n < 10; n++)
		assert_true(fake_write(s, n % 2, START + n, 20, n));
	for (int i = 0; i < 3; i++) {
		assert_true(merge_run(&m, &run));
		merge_done(&m, &run, run.first);
	}
	take_all(&m, &seen);
	assert_int_equal(seen.count, 10);
	assert_int_equal(seen.inversions, 0);
	now = 0;
	fake_rings_free(s);
}

static unsigned ended; /* producers */

struct producer {
	struct ring_set *s;
	unsigned ring;
	uint64_t lost;
	pthread_t thread;
};

static void *produce(void *data)
{
	struct producer *p = data;

	for (uint64_t n = 0; n < PER_THREAD; n++) {
		uint32_t length = 1 + (uint32_t)(n * 7919 % 200);

		if (!fake_write(p->s, p->ring, __real_clock_wall(), length, n << 8 | p->ring))
			p->lost++;
		if (n % YIELD_EVERY == 0)
			sched_yield();
	}
	__atomic_fetch_add(&ended, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* What came of each ring: in order, and no more than once. */
static unsigned take_concurrently(struct merge *m, uint64_t *last)
{
	const struct epb_header *r;
	struct afxdp_run run;
	unsigned n = 0;

	if (!merge_run(m, &run))
		return 0;
	for (r = run.first; has(&run, r); r = epb_next(r)) {
		uint64_t number = fake_check(r);

		assert_int_equal(number & 0xff, run.ring);
		assert_true((number >> 8) + 1 > last[run.ring]);
		last[run.ring] = (number >> 8) + 1;
		n++;
	}
	merge_done(m, &run, r);
	return n;
}

static void rings_that_are_written_meanwhile_lose_only_what_is_counted(void **state)
{
	struct ring_set *s = fake_rings(THREADS, SMALLEST);
	struct merge m = merge_of(s);
	struct producer p[THREADS];
	uint64_t last[THREADS] = {0}, taken = 0, lost = 0, counted = 0;
	uint64_t moved;

	(void)state;
	for (unsigned i = 0; i < THREADS; i++) {
		p[i] = (struct producer){.s = s, .ring = i};
		assert_int_equal(pthread_create(&p[i].thread, NULL, produce, &p[i]), 0);
	}
	while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) < THREADS)
		taken += take_concurrently(&m, last);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(p[i].thread, NULL);
		lost += p[i].lost;
	}
	/* What the rings still have: some of it has to become old. */
	for (moved = clock_monotonic();
	     taken + lost < THREADS * PER_THREAD && clock_monotonic() - moved < STUCK_NS;) {
		unsigned n = take_concurrently(&m, last);

		taken += n;
		moved = n ? clock_monotonic() : moved;
	}
	counted = 0;
	for (unsigned i = 0; i < THREADS; i++)
		counted += ring_counter(&s->ring[i].control->lost_full);
	print_message("%u threads: %llu records read, %llu counted as lost\n", THREADS,
		      (unsigned long long)taken, (unsigned long long)lost);
	assert_int_equal(taken + lost, THREADS * PER_THREAD);
	assert_int_equal(counted, lost);
	assert_true(taken > PER_THREAD / 100);
	fake_rings_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_look_tells_how_fast_records_come),
		cmocka_unit_test(nothing_comes_of_empty_rings),
		cmocka_unit_test(one_ring_keeps_its_order_over_its_chunks),
		cmocka_unit_test(a_record_that_does_not_fit_begins_the_next_chunk),
		cmocka_unit_test(a_record_that_would_fill_the_chunk_begins_the_next),
		cmocka_unit_test(a_reader_that_keeps_up_sees_few_chunks),
		cmocka_unit_test(a_reader_that_falls_behind_has_the_whole_ring),
		cmocka_unit_test(runs_are_bounded_but_never_empty),
		cmocka_unit_test(rings_are_merged_by_time),
		cmocka_unit_test(a_ring_that_stirs_is_in_order_with_the_others),
		cmocka_unit_test(many_rings_are_merged_by_time),
		cmocka_unit_test(a_read_within_a_read_keeps_the_order),
		cmocka_unit_test(equal_stamps_on_several_rings_all_come),
		cmocka_unit_test(young_records_wait_for_the_window),
		cmocka_unit_test(a_long_run_stops_at_the_window),
		cmocka_unit_test(a_single_live_ring_waits_for_nothing),
		cmocka_unit_test(a_clock_that_steps_holds_nothing_for_long),
		cmocka_unit_test(one_ring_with_a_clock_that_steps_back_keeps_its_order),
		cmocka_unit_test(a_run_ends_where_refining_does),
		cmocka_unit_test(records_are_released_when_the_next_run_is_asked_for),
		cmocka_unit_test(leaving_a_run_at_its_start_loses_nothing),
		cmocka_unit_test(rings_that_are_written_meanwhile_lose_only_what_is_counted),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%zu passed, %d failed, 0 skipped\n",
	       sizeof(tests) / sizeof(tests[0]) - (size_t)failed, failed);
	return failed != 0;
}
