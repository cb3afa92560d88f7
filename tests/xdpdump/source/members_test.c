/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Interfaces come to a table and go, at random: it has those that are there, and does not grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "capture/afxdpcapture.h"
#include "tests/random.h"
#include "xdpdump/source/members.h"

#define INDICES 4000u
#define MANY	10000u
#define LOOKS	1000000u

static struct member *get(struct members *all, unsigned index)
{
	struct afxdp_member from = {.index = index, .number = index + 1};

	snprintf(from.name, sizeof(from.name), "v%u", index);
	return members_get(all, 0, &from);
}

static void it_has_those_that_are_there(void **state)
{
	static bool there[INDICES];
	struct members *all = members_new();
	uint64_t random = RANDOM_SEED;
	unsigned count = 0;

	(void)state;
	for (unsigned n = 0; n < 200000; n++) {
		/* Many at first, few later; indices far apart meet in one place. */
		unsigned most = n < 100000 ? INDICES : 40;
		unsigned i = (unsigned)(random_next(&random) % INDICES), index = 1 + i * 4096;
		bool wanted = count < most && random_next(&random) % 2;
		struct member *m = members_find(all, 0, index);

		assert_int_equal(m != NULL, there[i]);
		if (m)
			assert_int_equal(m->number, index + 1);
		if (wanted == there[i])
			continue;
		if (wanted)
			assert_non_null(get(all, index));
		else
			members_remove(all, m);
		there[i] = wanted;
		count += wanted ? 1 : -1u;
		assert_int_equal(all->used, count);
	}
	for (unsigned i = 0; i < INDICES; i++)
		assert_int_equal(members_find(all, 0, 1 + i * 4096) != NULL, there[i]);
	assert_true(all->room <= 32 * (count + 2));
	members_free(all);
}

/* What has gone, and what has its index now: all are found, and the latest at once. */
static void several_have_one_index(void **state)
{
	static unsigned latest[INDICES], count[INDICES];
	struct members *all = members_new();
	uint64_t random = RANDOM_SEED;

	(void)state;
	for (unsigned n = 1; n < 20000; n++) {
		unsigned i = (unsigned)(random_next(&random) % INDICES), found = 0;
		struct afxdp_member from = {.index = 1 + i * 4096, .number = n};
		struct member *m = NULL, *oldest = NULL;

		if (random_next(&random) % 3 || !count[i]) {
			assert_non_null(members_get(all, 7, &from));
			latest[i] = n;
			count[i]++;
		}
		while ((m = members_next(all, 7, from.index, m))) {
			assert_int_equal(m->index, from.index);
			if (!oldest || m->number < oldest->number)
				oldest = m;
			found++;
		}
		assert_int_equal(found, count[i]);
		assert_int_equal(members_find(all, 7, from.index)->number, latest[i]);
		assert_null(members_find(all, 8, from.index));
		if (count[i] < 4)
			continue;
		members_remove(all, oldest);
		count[i]--;
	}
	members_free(all);
}

static void they_are_found_by_their_blocks(void **state)
{
	struct members *all = members_new();
	uint64_t random = RANDOM_SEED;

	(void)state;
	assert_null(members_with_id(all, 1));
	for (unsigned file = 0; file < 50; file++) {
		members_begin_file(all);
		for (unsigned id = 0; id < 500; id++) {
			unsigned index = 1 + (unsigned)(random_next(&random) % 300);
			struct member *m = get(all, index);

			if (members_have_block(all, m)) {
				uint32_t had = m->id;

				members_remove(all, m);
				assert_null(members_with_id(all, had));
				m = get(all, index);
			}
			assert_null(members_with_id(all, id));
			assert_int_equal(members_set_block(all, m, id), 0);
			assert_ptr_equal(members_with_id(all, id), m);
		}
		for (unsigned i = 0; i < all->room; i++)
			if (members_have_block(all, &all->at[i]))
				assert_ptr_equal(members_with_id(all, all->at[i].id), &all->at[i]);
	}
	assert_true(all->block_room <= 4096);
	members_free(all);
}

/* By going through all of them this would take a minute. */
static void many_are_found_at_once(void **state)
{
	struct members *all = members_new();
	clock_t begun = clock();
	unsigned found = 0;

	(void)state;
	for (unsigned i = 1; i <= MANY; i++)
		assert_int_equal(members_set_block(all, get(all, i), UINT32_MAX - i), 0);
	for (unsigned n = 0; n < LOOKS; n++) {
		found += members_with_id(all, UINT32_MAX - 1 - n % MANY) != NULL;
		found += members_with_id(all, 0) != NULL;
	}
	assert_int_equal(found, LOOKS);
	assert_true(clock() - begun < 4 * CLOCKS_PER_SEC);
	members_free(all);
}

static void a_file_has_its_own_blocks(void **state)
{
	struct members *all = members_new();
	struct member *m;

	(void)state;
	m = get(all, 7);
	assert_false(members_have_block(all, m));
	assert_int_equal(members_set_block(all, m, 3), 0);
	assert_true(members_have_block(all, m));
	members_begin_file(all);
	assert_false(members_have_block(all, m));
	assert_int_equal(all->blocks, 0);
	assert_null(members_with_id(all, 3));
	assert_int_equal(members_set_block(all, m, 3), 0);
	assert_int_equal(all->blocks, 1);
	m->gone_time = 1;
	all->leaving++;
	members_remove(all, m);
	assert_int_equal(all->blocks, 0);
	assert_int_equal(all->leaving, 0);
	assert_null(members_find(all, 0, 7));
	members_free(all);
	members_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_those_that_are_there),
		cmocka_unit_test(several_have_one_index),
		cmocka_unit_test(they_are_found_by_their_blocks),
		cmocka_unit_test(many_are_found_at_once),
		cmocka_unit_test(a_file_has_its_own_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
