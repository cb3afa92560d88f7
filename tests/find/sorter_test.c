/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Packets of many small files go out as they come, while those of a long one wait for the end: in
 * the order of time, each once, and however many wait, a file takes no longer.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "find/sorter.h"

#define FILES 2000
#define FEW   4000
#define TIMES 16
#define LATE  (1ull << 60)

struct seen {
	uint64_t last;
	unsigned count;
};

static int take(void *context, const uint8_t *block, uint32_t length)
{
	struct seen *s = context;
	uint64_t time;

	assert_int_equal(length, sizeof(time));
	memcpy(&time, block, sizeof(time));
	assert_true(time >= s->last);
	s->last = time;
	s->count++;
	return 0;
}

static void add(struct sorter *s, uint64_t time, uint32_t file)
{
	assert_int_equal(sorter_add(s, time, file, (const uint8_t *)&time, sizeof(time)), 0);
}

static clock_t time_of(unsigned waiting)
{
	struct seen seen = {.last = 0};
	struct sorter s;
	clock_t begun;

	sorter_init(&s, "/nowhere", 64u << 20);
	for (unsigned i = 0; i < waiting; i++)
		add(&s, LATE - i, 0);
	begun = clock();
	for (uint32_t file = 1; file <= FILES; file++) {
		for (unsigned i = 0; i < 4; i++)
			add(&s, file * 4 - i, file);
		assert_int_equal(sorter_release(&s, file * 4 + 1, take, &seen), 0);
	}
	begun = clock() - begun;
	assert_int_equal(sorter_drain(&s, take, &seen), 0);
	assert_int_equal(seen.count, waiting + FILES * 4);
	sorter_free(&s);
	return begun;
}

static void what_waits_makes_no_file_longer(void **state)
{
	clock_t few = time_of(FEW), many = time_of(TIMES * FEW);

	(void)state;
	printf("%u wait: %.1f us a file; %u: %.1f\n", FEW, 1e6 * few / CLOCKS_PER_SEC / FILES,
	       TIMES * FEW, 1e6 * many / CLOCKS_PER_SEC / FILES);
	assert_true(many < 4 * few + CLOCKS_PER_SEC / 10);
}

/* They are not kept until there are more than so. */
static void what_is_due_goes_out(void **state)
{
	struct seen seen = {.last = 0};
	struct sorter s;

	(void)state;
	sorter_init(&s, "/nowhere", 64u << 20);
	for (unsigned i = 0; i < 100; i++)
		add(&s, LATE, 0);
	for (uint64_t i = 1; i <= 1000; i++) {
		add(&s, i, 1);
		assert_int_equal(sorter_release(&s, i + 1, take, &seen), 0);
		assert_true(seen.count + 13 >= i);
	}
	assert_int_equal(sorter_drain(&s, take, &seen), 0);
	assert_int_equal(seen.count, 1100);
	sorter_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_waits_makes_no_file_longer),
		cmocka_unit_test(what_is_due_goes_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
