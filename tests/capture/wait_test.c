/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sleeping and waking on rings in ordinary memory. The doorbell, in truth a BPF ringbuf, is an
 * eventfd here: readable when it was rung, empty when it was consumed.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <unistd.h>
#include <cmocka.h>

#include "util/clock.h"
#include "fake_ring.h"
#include "capture/read/wait.h"
#include "tests/ranges.h"

#define ROUNDS	    100000
#define RING_SIZE   (16 << 20) /* looked at once in 1.6 ms */
#define SLEEP_LIMIT (20 * NS_PER_SEC)
#define LOST_AFTER  (15 * NS_PER_SEC) /* nobody woke the sleeper, however slow the machine */

static int bell = -1, bell_epoll = -1;

struct ring_buffer *__wrap_ring_buffer__new(int fd, void *cb, void *ctx, const void *opts);
int __wrap_ring_buffer__epoll_fd(const struct ring_buffer *rb);
void __wrap_ring_buffer__free(struct ring_buffer *rb);
int __wrap_ring_buffer__consume(struct ring_buffer *rb);

struct ring_buffer *__wrap_ring_buffer__new(int fd, void *cb, void *ctx, const void *opts)
{
	struct epoll_event event = {.events = EPOLLIN};

	(void)cb, (void)ctx, (void)opts;
	bell_epoll = epoll_create1(EPOLL_CLOEXEC);
	assert_int_equal(epoll_ctl(bell_epoll, EPOLL_CTL_ADD, fd, &event), 0);
	return (struct ring_buffer *)&bell;
}

int __wrap_ring_buffer__epoll_fd(const struct ring_buffer *rb)
{
	(void)rb;
	return bell_epoll;
}

void __wrap_ring_buffer__free(struct ring_buffer *rb)
{
	if (rb)
		close(bell_epoll);
}

int __wrap_ring_buffer__consume(struct ring_buffer *rb)
{
	uint64_t n;

	(void)rb;
	return read(bell, &n, sizeof(n)) == sizeof(n) ? (int)n : 0;
}

static void ring_bell(void)
{
	uint64_t one = 1;

	assert_int_equal(write(bell, &one, sizeof(one)), sizeof(one));
}

struct bench {
	struct ring_set *s;
	struct wait w;
	uint64_t written;
};

static struct bench *new_bench(unsigned rings, bool immediate)
{
	struct bench *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	bell = eventfd(0, EFD_NONBLOCK);
	b->s = fake_rings(rings, RING_SIZE);
	assert_int_equal(wait_open(&b->w, b->s, bell, immediate), 0);
	return b;
}

static void free_bench(struct bench *b)
{
	wait_close(&b->w);
	close(bell);
	fake_rings_free(b->s);
	free(b);
}

/* As the capture program does it. */
static void publish(struct bench *b, unsigned ring)
{
	assert_true(fake_write(b->s, ring, b->written, 60, b->written));
	b->written++;
	if (fake_takes_bell(b->s, ring))
		ring_bell();
}

/* As the reader does it: all that is there. */
static unsigned consume(struct bench *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->s->count; i++) {
		struct ring *r = &b->s->ring[i];

		for (r->head = ring_head(r); r->position != r->head; n++) {
			ring_find(b->s, r);
			r->position += ring_record(r)->total_length;
		}
		ring_release(r);
	}
	b->w.busy |= n != 0;
	return n;
}

static bool readable(struct bench *b, int timeout_ms)
{
	struct pollfd p = {.fd = b->w.epoll, .events = POLLIN};

	return poll(&p, 1, timeout_ms) > 0;
}

static int64_t timed_sleep(struct bench *b, int64_t limit, int *answer)
{
	uint64_t start = clock_monotonic();

	*answer = wait_sleep(&b->w, limit, false);
	return (int64_t)(clock_monotonic() - start);
}

static void a_sleep_ends_at_its_limit(void **state)
{
	struct bench *b = new_bench(2, *(bool *)*state);
	int answer;
	int64_t slept = timed_sleep(b, 50 * NS_PER_MS, &answer);

	assert_int_equal(answer, -ETIME);
	assert_in_range(slept, 50 * NS_PER_MS, LOST_AFTER);
	free_bench(b);
}

static void who_has_records_does_not_sleep(void **state)
{
	struct bench *b = new_bench(2, *(bool *)*state);
	int answer;

	for (unsigned ring = 0; ring < 2; ring++) {
		publish(b, ring);
		assert_in_range(timed_sleep(b, SLEEP_LIMIT, &answer), 0, LOST_AFTER);
		assert_int_equal(answer, 0);
		assert_int_equal(consume(b), 1);
	}
	free_bench(b);
}

static void waking_ends_this_sleep_or_the_next(void **state)
{
	struct bench *b = new_bench(1, *(bool *)*state);
	int answer;

	wait_wake(&b->w);
	wait_wake(&b->w);
	assert_in_range(timed_sleep(b, SLEEP_LIMIT, &answer), 0, LOST_AFTER);
	assert_int_equal(answer, 0);
	timed_sleep(b, 20 * NS_PER_MS, &answer); /* once for all that was before */
	assert_int_equal(answer, -ETIME);
	free_bench(b);
}

static void without_blocking_nothing_wakes(void **state)
{
	struct bench *b = new_bench(1, *(bool *)*state);
	int answer;

	wait_wake(&b->w); /* for a sleep that does not come */
	wait_set_blocking(&b->w, false);
	wait_wake(&b->w);
	timed_sleep(b, 20 * NS_PER_MS, &answer);
	assert_int_equal(answer, -ETIME);
	wait_set_blocking(&b->w, true);
	timed_sleep(b, 20 * NS_PER_MS, &answer);
	assert_int_equal(answer, -ETIME);
	wait_wake(&b->w);
	assert_in_range(timed_sleep(b, SLEEP_LIMIT, &answer), 0, LOST_AFTER);
	assert_int_equal(answer, 0);
	free_bench(b);
}

static void on_alarm(int signal)
{
	(void)signal;
}

static void a_signal_ends_a_sleep(void **state)
{
	struct bench *b = new_bench(1, *(bool *)*state);
	struct sigaction a = {.sa_handler = on_alarm};
	struct itimerval soon = {.it_value = {.tv_usec = 30000}};
	int answer;

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	assert_in_range(timed_sleep(b, SLEEP_LIMIT, &answer), 0, LOST_AFTER);
	assert_int_equal(answer, -EINTR);
	free_bench(b);
}

/* As the program does it where a timer is to wake the reader, and before that has rung. */
static void stir(struct bench *b, unsigned ring)
{
	assert_true(fake_write(b->s, ring, b->written, 60, b->written));
	b->written++;
	b->s->ring[ring].control->timer_runs = 1;
	ring_stir(b->s, ring);
}

static bool is_looked_at(const struct bench *b, unsigned ring)
{
	return ring_set_next(b->s, ring) == ring;
}

/* Goes to sleep, and what ring n has been asked for before is not as it was. */
static bool asks(struct bench *b, unsigned ring)
{
	b->s->ring[ring].control->awaited = UINT64_MAX;
	wait_rest(&b->w, false, false);
	return b->s->ring[ring].control->awaited != UINT64_MAX;
}

/* Where a timer wakes the reader: whatever number of CPUs there is, what is silent costs it
 * nothing. */
static void a_silent_ring_is_left_until_it_stirs(void **state)
{
	enum { SILENT = 69, RUNS, RINGS };
	uint64_t bits[(RINGS + 63) / 64] = {0};
	struct bench *b = calloc(1, sizeof(*b));

	(void)state;
	assert_non_null(b);
	bell = eventfd(0, EFD_NONBLOCK);
	b->s = fake_rings(RINGS, RING_SIZE_MIN);
	b->s->stirred = (__u64 *)bits;
	b->s->ring[0].control->has_timer = 1;
	b->s->ring[RUNS].control->timer_runs = 1;
	assert_int_equal(wait_open(&b->w, b->s, bell, false), 0);
	assert_int_equal(b->s->ring[SILENT].control->need_wakeup, RING_WAKE_ANY);
	assert_false(is_looked_at(b, 0));
	assert_false(is_looked_at(b, SILENT));
	assert_true(is_looked_at(b, RUNS));
	assert_int_equal(ring_set_next(b->s, RUNS + 1), RINGS);
	assert_false(asks(b, SILENT));
	assert_true(asks(b, RUNS));
	stir(b, SILENT);
	assert_true(asks(b, SILENT));
	assert_int_equal(consume(b), 1);
	b->s->ring[SILENT].control->timer_runs = 0;
	assert_true(asks(b, SILENT)); /* it has been silent for a moment */
	assert_true(is_looked_at(b, SILENT));
	b->s->ring[SILENT].silent_since -= 2 * NS_PER_SEC;
	assert_true(asks(b, SILENT));
	assert_false(is_looked_at(b, SILENT));
	assert_false(asks(b, SILENT));
	free_bench(b);
}

/* The pace, until it is idle, and the second look. */
static void rest_until_quiet(struct bench *b)
{
	do {
		consume(b);
		wait_rest(&b->w, wait_pending(&b->w), false);
	} while (readable(b, 30));
}

/* Less than four milliseconds for a small ring, or where records come so fast that they leave the
 * cache. */
static void the_pace_follows_the_rate(void **state)
{
	struct bench *b = new_bench(1, *(bool *)*state);
	int64_t slow = wait_pace(&b->w);

	assert_int_equal(slow, RING_SIZE / 2 / 5); /* half of it at 5 bytes per ns */
	b->w.rings->size = 64u << 20;
	assert_int_equal(wait_pace(&b->w), 4 * NS_PER_MS);
	b->w.rings->size = RING_SIZE;
	b->w.rings->hot_ns = (uint64_t)slow * 2;
	assert_int_equal(wait_pace(&b->w), slow);
	b->w.rings->hot_ns = (uint64_t)slow - 1;
	assert_int_equal(wait_pace(&b->w), slow - 1);
	b->w.rings->hot_ns = 1;
	assert_int_equal(wait_pace(&b->w), NS_PER_MS / 5);
	free_bench(b);
}

/* The descriptor that an application hands to select(). */
static void the_descriptor_tells_of_records(void **state)
{
	struct bench *b = new_bench(2, *(bool *)*state);

	rest_until_quiet(b);
	assert_false(readable(b, 100));
	publish(b, 1);
	assert_true(readable(b, 10000));
	assert_int_equal(consume(b), 1);
	wait_rest(&b->w, true, false); /* the application left something */
	assert_true(readable(b, 10000));
	rest_until_quiet(b);
	publish(b, 0);
	assert_true(readable(b, 10000));
	free_bench(b);
}

static void an_idle_descriptor_stays_quiet(void **state)
{
	struct bench *b = new_bench(2, *(bool *)*state);
	uint64_t end = clock_monotonic() + 300 * NS_PER_MS;
	unsigned wakeups = 0;

	publish(b, 0);
	while (clock_monotonic() < end) {
		consume(b);
		wait_rest(&b->w, wait_pending(&b->w), false);
		wakeups += readable(b, 100);
	}
	assert_in_range(wakeups, 0, 30); /* a pace of 1.6 ms for the first 10 ms */
	free_bench(b);
}

/*
 * A bell that was asked for can arrive when the reader is awake again, for another reason, and no
 * longer wants it. It must not keep who paces himself from sleeping.
 */
static void a_late_bell_does_not_make_the_reader_spin(void **state)
{
	struct bench *b = new_bench(2, *(bool *)*state);
	uint64_t end = clock_monotonic() + 50 * NS_PER_MS;
	unsigned sleeps = 0;

	ring_bell();
	for (; clock_monotonic() < end; sleeps++) {
		b->w.busy = true; /* there were records just now */
		wait_sleep(&b->w, 10 * NS_PER_MS, false);
	}
	print_message("%u sleeps in 50 ms\n", sleeps);
	assert_in_range(sleeps, 1, 75);
	free_bench(b);
}

static void a_late_bell_does_not_make_the_application_spin(void **state)
{
	struct bench *b = new_bench(2, *(bool *)*state);
	uint64_t end = clock_monotonic() + 50 * NS_PER_MS;
	unsigned wakeups = 0;

	ring_bell();
	while (clock_monotonic() < end) {
		consume(b);
		b->w.busy = true;
		wait_rest(&b->w, wait_pending(&b->w), false);
		wakeups += readable(b, 10);
	}
	print_message("%u wake-ups in 50 ms\n", wakeups);
	assert_in_range(wakeups, 0, 75);
	free_bench(b);
}

struct rounds {
	struct bench *b;
	volatile uint64_t done; /* rounds the reader has finished */
	bool selects;
};

static void pause_at_random(unsigned *seed)
{
	for (volatile int spin = rand_r(seed) % 2000; spin > 0; spin--)
		;
}

/* One record for each round, at a time when the reader is about to sleep, or sleeps. */
static void *produce(void *data)
{
	struct rounds *r = data;
	unsigned seed = 1;

	for (uint64_t n = 0; n < ROUNDS; n++) {
		while (__atomic_load_n(&r->done, __ATOMIC_ACQUIRE) < n)
			;
		pause_at_random(&seed);
		publish(r->b, n % 2);
	}
	return NULL;
}

static void sleep_until_told(struct rounds *r)
{
	int answer;

	if (r->selects) {
		wait_rest(&r->b->w, wait_pending(&r->b->w), false);
		assert_true(readable(r->b, SLEEP_LIMIT / NS_PER_MS));
	} else {
		assert_in_range(timed_sleep(r->b, SLEEP_LIMIT, &answer), 0, LOST_AFTER);
	}
}

static void run_rounds(bool selects)
{
	struct rounds r = {.b = new_bench(2, true), .selects = selects};
	uint64_t got = 0;
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, produce, &r), 0);
	while (got < ROUNDS) {
		sleep_until_told(&r);
		got += consume(r.b);
		__atomic_store_n(&r.done, got, __ATOMIC_RELEASE);
	}
	pthread_join(thread, NULL);
	free_bench(r.b);
}

static void no_wakeup_is_lost_by_the_sleeper(void **state)
{
	(void)state;
	run_rounds(false);
}

static void no_wakeup_is_lost_by_select(void **state)
{
	(void)state;
	run_rounds(true);
}

int main(void)
{
	bool paced = false, immediate = true;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(a_sleep_ends_at_its_limit, &paced),
		cmocka_unit_test_prestate(a_sleep_ends_at_its_limit, &immediate),
		cmocka_unit_test_prestate(who_has_records_does_not_sleep, &paced),
		cmocka_unit_test_prestate(who_has_records_does_not_sleep, &immediate),
		cmocka_unit_test_prestate(waking_ends_this_sleep_or_the_next, &paced),
		cmocka_unit_test_prestate(waking_ends_this_sleep_or_the_next, &immediate),
		cmocka_unit_test_prestate(without_blocking_nothing_wakes, &paced),
		cmocka_unit_test_prestate(a_signal_ends_a_sleep, &paced),
		cmocka_unit_test_prestate(a_signal_ends_a_sleep, &immediate),
		cmocka_unit_test_prestate(the_pace_follows_the_rate, &paced),
		cmocka_unit_test_prestate(the_descriptor_tells_of_records, &paced),
		cmocka_unit_test_prestate(the_descriptor_tells_of_records, &immediate),
		cmocka_unit_test_prestate(an_idle_descriptor_stays_quiet, &paced),
		cmocka_unit_test_prestate(an_idle_descriptor_stays_quiet, &immediate),
		cmocka_unit_test_prestate(a_late_bell_does_not_make_the_reader_spin, &paced),
		cmocka_unit_test_prestate(a_late_bell_does_not_make_the_application_spin, &paced),
		cmocka_unit_test(a_silent_ring_is_left_until_it_stirs),
		cmocka_unit_test(no_wakeup_is_lost_by_the_sleeper),
		cmocka_unit_test(no_wakeup_is_lost_by_select),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%zu passed, %d failed, 0 skipped\n",
	       sizeof(tests) / sizeof(tests[0]) - (size_t)failed, failed);
	return failed != 0;
}
