/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The reader's side of an AF_XDP socket, on rings and buffers in ordinary memory: frames in several
 * parts, of which not all are there. The socket, readable while its ring holds anything, is an
 * eventfd here.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <cmocka.h>

#include "util/clock.h"
#include "capture/read/merge.h"
#include "capture/read/wait.h"
#include "capture/ring/xsk.h"
#include "tests/ranges.h"

#define BUFFERS	    64u
#define BUFFER_SIZE 4096u
#define FRONT	    XSK_HEADROOM
#define PART	    (BUFFER_SIZE - FRONT)

struct bench {
	struct xsk x;
	struct xdp_desc rx[BUFFERS];
	uint64_t fill[BUFFERS];
	uint32_t rx_producer, rx_consumer, fill_producer, fill_consumer, flags;
	struct ring_set rings;
	struct merge merge;
	struct wait wait;
};

static struct bench *new_bench(bool immediate)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct xsk *x;

	assert_non_null(b);
	x = &b->x;
	*x = (struct xsk){.buffer_size = BUFFER_SIZE,
			  .buffer_count = BUFFERS,
			  .snaplen = AFXDP_SNAPLEN_MAX,
			  .memory = calloc(BUFFERS, BUFFER_SIZE),
			  .assembly = malloc(XSK_ASSEMBLY_SIZE),
			  .fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
	assert_non_null(x->memory);
	assert_non_null(x->assembly);
	x->rx = (struct xsk_ring_cons){.mask = BUFFERS - 1,
				       .size = BUFFERS,
				       .producer = &b->rx_producer,
				       .consumer = &b->rx_consumer,
				       .ring = b->rx,
				       .flags = &b->flags};
	x->fill = (struct xsk_ring_prod){.cached_cons = BUFFERS,
					 .mask = BUFFERS - 1,
					 .size = BUFFERS,
					 .producer = &b->fill_producer,
					 .consumer = &b->fill_consumer,
					 .ring = b->fill,
					 .flags = &b->flags};
	ring_set_init(&b->rings, RING_SIZE_MIN, false);
	assert_int_equal(ring_set_add(&b->rings, x), 0);
	b->merge.rings = &b->rings;
	assert_int_equal(wait_open(&b->wait, &b->rings, -1, immediate), 0);
	assert_int_equal(wait_add_socket(&b->wait, x->fd), 0);
	return b;
}

static void free_bench(struct bench *b)
{
	wait_close(&b->wait);
	close(b->x.fd);
	ring_set_unmap(&b->rings);
	free(b->x.memory);
	free(b->x.assembly);
	free(b);
}

/* As the kernel does it: one descriptor, whole the length of the frame that it is a part of. */
static void deliver(struct bench *b, uint32_t length, uint32_t whole, bool goes_on)
{
	uint32_t at = b->rx_producer % BUFFERS;
	uint64_t address = (uint64_t)at * BUFFER_SIZE + FRONT;
	const struct divert_meta m = {.length = whole, .keep = UINT32_MAX, .time_low = at};
	uint64_t one = 1;

	memcpy(b->x.memory + address - sizeof(m), &m, sizeof(m));
	memset(b->x.memory + address, (int)b->rx_producer + 1, length);
	b->rx[at] = (struct xdp_desc){.addr = address,
				      .len = length,
				      .options = goes_on ? XDP_PKT_CONTD : 0};
	__atomic_store_n(&b->rx_producer, b->rx_producer + 1, __ATOMIC_RELEASE);
	assert_int_equal(write(b->x.fd, &one, sizeof(one)), sizeof(one));
}

/* The next record, which is then done with; NULL: none. */
static const struct epb_header *next(struct bench *b)
{
	static uint8_t copy[XSK_ASSEMBLY_SIZE];
	struct afxdp_run run;

	if (!merge_run(&b->merge, &run))
		return NULL;
	memcpy(copy, run.first, run.first->total_length);
	merge_done(&b->merge, &run, epb_next(run.first));
	return (const void *)copy;
}

static bool filled(const uint8_t *at, uint32_t from, uint32_t to, uint8_t with)
{
	for (uint32_t i = from; i < to; i++)
		if (at[i] != with)
			return false;
	return true;
}

static void a_frame_in_parts_waits_for_the_last(void **state)
{
	struct bench *b = new_bench(false);
	const struct epb_header *r;

	(void)state;
	assert_false(wait_pending(&b->wait));
	deliver(b, PART, PART + 100, true);
	assert_false(wait_pending(&b->wait));
	assert_null(next(b));
	deliver(b, 100, 0, false);
	assert_true(wait_pending(&b->wait));
	r = next(b);
	assert_non_null(r);
	assert_int_equal(r->caplen, PART + 100);
	assert_true(filled(epb_frame(r), 0, PART, 1));
	assert_true(filled(epb_frame(r), PART, PART + 100, 2));
	assert_int_equal(b->x.torn, 0);
	assert_null(next(b));
	free_bench(b);
}

/* The socket is readable all the time, and nothing can be read. */
static void a_part_does_not_make_the_reader_spin(void **state)
{
	struct bench *b = new_bench(*(bool *)*state);
	uint64_t end;
	unsigned sleeps = 0;

	deliver(b, PART, PART + 100, true);
	for (end = clock_monotonic() + 100 * NS_PER_MS; clock_monotonic() < end; sleeps++) {
		assert_null(next(b));
		wait_sleep(&b->wait, 50 * NS_PER_MS, false);
	}
	print_message("%u sleeps in 100 ms\n", sleeps);
	assert_in_range(sleeps, 1, 550); /* the shortest pace is 0.2 ms */
	deliver(b, 100, 0, false);
	assert_non_null(next(b));
	free_bench(b);
}

static void a_part_does_not_make_the_application_spin(void **state)
{
	struct bench *b = new_bench(*(bool *)*state);
	struct pollfd p = {.fd = b->wait.epoll, .events = POLLIN};
	uint64_t end;
	unsigned wakeups = 0;

	deliver(b, PART, PART + 100, true);
	for (end = clock_monotonic() + 100 * NS_PER_MS; clock_monotonic() < end;) {
		assert_null(next(b));
		wait_rest(&b->wait, wait_pending(&b->wait), false);
		wakeups += poll(&p, 1, 50) > 0;
	}
	print_message("%u wake-ups in 100 ms\n", wakeups);
	assert_in_range(wakeups, 1, 550);
	free_bench(b);
}

/* The last part of the first frame was lost: its record has nothing of the second. */
static void a_frame_without_its_end_is_cut_and_counted(void **state)
{
	struct bench *b = new_bench(false);
	const struct epb_header *r;

	(void)state;
	deliver(b, PART, PART + 50, true);
	deliver(b, 100, 100, false);
	deliver(b, 60, 60, false);
	r = next(b);
	assert_non_null(r);
	assert_int_equal(r->len, PART + 50);
	assert_int_equal(r->caplen, PART);
	assert_true(filled(epb_frame(r), 0, PART, 1));
	assert_int_equal(b->x.torn, 1);
	r = next(b);
	assert_non_null(r);
	assert_int_equal(r->caplen, 60);
	assert_true(filled(epb_frame(r), 0, 60, 3));
	free_bench(b);
}

static void what_the_driver_knows_becomes_options(void **state)
{
	struct bench *b = new_bench(false);
	const struct divert_hints hints = {.nic_time_high = 1,
					   .nic_time_low = 2,
					   .hash = 0x01020304,
					   .hash_algorithm = 3};
	const uint8_t value[] = {1, 2, 3, 4};
	const struct epb_header *r;
	const struct epb_hash *h;
	const struct epb_nic_time *t;

	(void)state;
	b->x.asks_driver = true;
	deliver(b, 61, 61, false);
	memcpy(b->x.memory + FRONT - sizeof(struct divert_meta) - sizeof(hints), &hints,
	       sizeof(hints));
	r = next(b);
	assert_non_null(r);
	h = (const void *)(epb_options(r) + 1);
	assert_int_equal(h->option, EPB_OPT_HASH);
	assert_int_equal(h->algorithm, 2);
	assert_memory_equal(h->value, value, sizeof(value));
	t = (const void *)(h + 1);
	assert_int_equal(t->option, EPB_OPT_NIC_TIME);
	assert_int_equal(t->high, 1);
	assert_int_equal(t->low, 2);
	assert_ptr_equal((const struct epb_end *)(t + 1) + 1, epb_next(r));
	assert_true(filled(epb_frame(r), 0, 61, 1));
	free_bench(b);
}

static void every_buffer_goes_back(void **state)
{
	struct bench *b = new_bench(false);

	(void)state;
	for (uint32_t i = 0; i < 10 * BUFFERS; i++) {
		deliver(b, 60, 60, false);
		b->fill_consumer = b->fill_producer; /* as the kernel takes them */
		assert_non_null(next(b));
		assert_null(next(b));
		assert_int_equal(b->fill_producer, i + 1);
		assert_int_equal(b->rx_consumer, i + 1);
		assert_int_equal(b->fill[i % BUFFERS],
				 (uint64_t)(i % BUFFERS) * BUFFER_SIZE + FRONT);
	}
	free_bench(b);
}

static void rings_that_cannot_be_mapped_leave_nothing(void **state)
{
	struct ring_place place = {.maps = {.count = 1}, .count = 2, .size = RING_SIZE_MIN};
	struct ring_set s = {.count = 0};
	int fd = -1;

	(void)state;
	assert_int_equal(ring_set_map(&s, &fd, &place), -EBADF);
	place.maps.count = RING_MAPS_MAX + 1; /* as an application may tell the loader */
	assert_int_equal(ring_set_map(&s, &fd, &place), -EINVAL);
	assert_int_equal(s.count, 0);
	assert_int_equal(s.controlled, 0); /* what stops a capture goes through them */
	ring_set_unmap(&s);
}

/* Something in this process has written into the rings: what is no frame in a buffer is not read. */
static void descriptors_that_cannot_be_are_noticed(void **state)
{
	const struct xdp_desc wrong[] = {
		{.addr = (uint64_t)BUFFERS * BUFFER_SIZE + FRONT, .len = 60}, /* one to send */
		{.addr = UINT64_MAX - 100, .len = 60},
		{.addr = 1ull << 63, .len = 60},
		{.addr = 20, .len = 60}, /* no room in front */
		{.addr = FRONT, .len = PART + 1},
		{.addr = FRONT, .len = UINT32_MAX},
		{.addr = FRONT, .len = UINT32_MAX - FRONT},
		{.addr = FRONT, .len = PART + 1, .options = XDP_PKT_CONTD},
		{.addr = BUFFER_SIZE - 8, .len = 60, .options = XDP_PKT_CONTD},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct bench *b = new_bench(false);

		deliver(b, 60, 60, false);
		deliver(b, 60, 60, false);
		b->rx[0] = wrong[i];
		assert_null(next(b));
		assert_true(b->merge.corrupted);
		free_bench(b);
	}
}

static void more_frames_than_buffers_are_noticed(void **state)
{
	struct bench *b = new_bench(false);

	(void)state;
	deliver(b, 60, 60, false);
	assert_non_null(next(b));
	__atomic_store_n(&b->rx_producer, 0x80000000, __ATOMIC_RELEASE);
	assert_true(wait_pending(&b->wait)); /* which ends, too */
	for (unsigned i = 0; i < BUFFERS; i++)
		b->rx[i].addr = FRONT;
	for (unsigned i = 0; i < 4 * BUFFERS && next(b); i++)
		;
	assert_true(b->merge.corrupted);
	free_bench(b);
}

int main(void)
{
	bool paced = false, immediate = true;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_in_parts_waits_for_the_last),
		cmocka_unit_test_prestate(a_part_does_not_make_the_reader_spin, &paced),
		cmocka_unit_test_prestate(a_part_does_not_make_the_reader_spin, &immediate),
		cmocka_unit_test_prestate(a_part_does_not_make_the_application_spin, &paced),
		cmocka_unit_test_prestate(a_part_does_not_make_the_application_spin, &immediate),
		cmocka_unit_test(a_frame_without_its_end_is_cut_and_counted),
		cmocka_unit_test(what_the_driver_knows_becomes_options),
		cmocka_unit_test(every_buffer_goes_back),
		cmocka_unit_test(descriptors_that_cannot_be_are_noticed),
		cmocka_unit_test(more_frames_than_buffers_are_noticed),
		cmocka_unit_test(rings_that_cannot_be_mapped_leave_nothing),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%zu passed, %d failed, 0 skipped\n",
	       sizeof(tests) / sizeof(tests[0]) - (size_t)failed, failed);
	return failed != 0;
}
