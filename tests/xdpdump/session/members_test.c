/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Interfaces come to a table and go, at random: it has those that are there, and does not grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "capture/afxdpcapture.h"
#include "tests/random.h"
#include "xdpdump/session/members.h"

#define INDICES 4000u

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

static void a_file_has_its_own_blocks(void **state)
{
	struct members *all = members_new();
	struct member *m;

	(void)state;
	m = get(all, 7);
	assert_false(members_have_block(all, m));
	m->file = all->file;
	all->blocks++;
	assert_true(members_have_block(all, m));
	members_begin_file(all);
	assert_false(members_have_block(all, m));
	assert_int_equal(all->blocks, 0);
	m->file = all->file;
	all->blocks++;
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
		cmocka_unit_test(a_file_has_its_own_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
