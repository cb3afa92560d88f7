/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The lists of CPUs: what the kernel may write there, what it never should, and what lxcfs hides. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "capture/attach/facts/cpus.h"
#include "tests/ranges.h"

#define MAX 64

static const char *online;			 /* what the files say; NULL: the real ones */
static const char *present, *offline, *possible; /* the same; NULL: as online */
static const char *const *node_lists;		 /* CPUs of nodes 0, 1, ...; online: nodes */

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
	const char *text = online, *node = strstr(path, "/node/node");

	if (node_lists && node)
		text = node_lists[atoi(node + strlen("/node/node"))];
	if (!online)
		return __real_fopen(path, mode);
	if (present && strstr(path, "/present"))
		text = present;
	if (offline && strstr(path, "/offline"))
		text = offline;
	if (possible && strstr(path, "/possible"))
		text = possible;
	if (!*text)
		return errno = ENOENT, NULL;
	return fmemopen((void *)text, strlen(text), "r");
}

/* The name of the same, for large files on machines of 32 bits. */
FILE *__wrap_fopen64(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode)
{
	return __wrap_fopen(path, mode);
}

static const struct list {
	const char *text;
	int count;
	bool sparse;
	int cpu, number; /* one of the answers; cpu -1: none to check */
} lists[] = {
	{"0\n", 1, false, 0, 0},
	{"0-1\n", 2, false, 1, 1},
	{"0-3,8,10-11\n", 7, true, 10, 5},
	{"0,2-3\n", 3, true, 2, 1},
	{"1-3\n", 3, true, 1, 0},
	{"0,1,2,3", 4, false, 3, 3},
	{"0-63\n", 64, false, 63, 63},
	{"0-100\n", 64, false, 63, 63}, /* more than there is room for */
	{"60-70\n", 4, true, 63, 3},
	{"0-3,", 4, false, 3, 3},
	{"\n", -1, false, -1, 0},
	{"none\n", -1, false, -1, 0},
	{"99999\n", -1, false, -1, 0},
	{"3-1\n", -1, false, -1, 0},
};

static void lists_are_numbered(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct list *l = &lists[i];
		uint16_t number_of[MAX];
		bool sparse = true, late;
		int n;

		online = l->text;
		n = cpus_number(number_of, MAX, &sparse, &late);
		online = NULL;
		if (l->count < 0 ? n >= 0 : n != l->count)
			fail_msg("%s: %d CPUs, wanted %d", l->text, n, l->count);
		if (l->cpu < 0)
			continue;
		if (number_of[l->cpu] != l->number || sparse != l->sparse)
			fail_msg("%s: CPU %d is number %u, %ssparse", l->text, l->cpu,
				 number_of[l->cpu], sparse ? "" : "not ");
	}
}

static void who_is_offline_has_no_number(void **state)
{
	uint16_t number_of[MAX];
	bool sparse, late;

	(void)state;
	online = "0-3,8\n";
	assert_int_equal(cpus_number(number_of, MAX, &sparse, &late), 5);
	online = NULL;
	for (int cpu = 0; cpu < MAX; cpu++)
		if (cpu > 3 && cpu != 8)
			assert_int_equal(number_of[cpu], UINT16_MAX);
}

/* A container's list is a part of what there is; what cannot be read hides nothing. */
static void who_is_hidden_has_a_number(void **state)
{
	static const struct {
		const char *present, *offline, *online;
		int count, cpu, number;
	} hidden[] = {
		{"0-1\n", "\n", "0\n", 2, 1, 1},
		{"0-63\n", "\n", "8-9\n", 64, 9, 9},
		{"0-7\n", "1,3,5,7-1023\n", "0\n", 4, 6, 3}, /* 1024 possible, SMT off */
		{"0-7\n", "4-7\n", "0-4\n", 5, 4, 4},	     /* the last has just come */
		{"none\n", "\n", "0-3\n", 4, 3, 3},
		{"0-3\n", "none\n", "0\n", 4, 3, 3},
		{"", "\n", "0-3\n", 4, 3, 3},
		{"0-3\n", "", "0-1\n", 2, 1, 1},
		{"0-3\n", "\n", "", 4, 3, 3},
		{"0-3\n", "\n", "none\n", 4, 3, 3},
		{"0-3\n", "\n", "0-9\n", 10, 9, 9},
		{"\n", "\n", "\n", -EIO, 0, UINT16_MAX},
		{"", "", "", -ENOENT, 0, UINT16_MAX},
	};
	uint16_t number_of[MAX];
	bool sparse, late;

	(void)state;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		present = hidden[i].present;
		offline = hidden[i].offline;
		online = hidden[i].online;
		possible = "0-63\n";
		assert_int_equal(cpus_number(number_of, MAX, &sparse, &late), hidden[i].count);
		assert_int_equal(number_of[hidden[i].cpu], hidden[i].number);
	}
	present = offline = online = possible = NULL;
}

/* Frames may come on CPUs without a ring of their own: they share one. None is made for nobody. */
static void who_may_come_shares_a_ring(void **state)
{
	static const struct {
		const char *present, *offline, *online, *possible;
		int count;
		bool late;
	} lists[] = {
		{"0-3\n", "\n", "0-3\n", "0-3\n", 4, false},
		{"0-3\n", "4-1023\n", "0-3\n", "0-1023\n", 4, true}, /* 1024 possible, 4 online */
		{"0-3\n", "2-3\n", "0-1\n", "0-3\n", 2, true},	     /* SMT off */
		{"0\n", "\n", "0\n", "0-1\n", 1, true},		     /* hidden in two lists */
		{"0-1\n", "\n", "0-1\n", "0\n", 1, true},	     /* longer than possible */
		{"0-1\n", "\n", "0-63\n", "0-1\n", 2, true},
		{"0-63\n", "\n", "0-63\n", "0-1\n", 2, true},
		{"0-1\n", "\n", "0-1\n", "7\n", 2, true}, /* impossible, all of them */
		{"0-1\n", "\n", "0-1\n", "none\n", 2, true},
		{"0-1\n", "\n", "0-1\n", "\n", 2, true},
		{"0-1\n", "\n", "0-1\n", "", 2, true},
		{"\n", "\n", "0-1,x,5\n", "0-1\n", 2, false},
	};
	uint16_t number_of[MAX];
	bool sparse, late;

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		present = lists[i].present;
		offline = lists[i].offline;
		online = lists[i].online;
		possible = lists[i].possible;
		if (cpus_number(number_of, MAX, &sparse, &late) != lists[i].count ||
		    late != lists[i].late)
			fail_msg("present %s, offline %s, online %s, possible %s: %slate", present,
				 offline, online, possible, late ? "" : "not ");
	}
	present = offline = online = possible = NULL;
}

/* Rings of a node have numbers in a row, and a map of their own. */
static const struct {
	const char *nodes, *lists[12];
	int node[RING_MAPS_MAX];
	unsigned maps;
	uint32_t first[RING_MAPS_MAX];
	uint16_t number[8];
} machines[] = {
	{"0\n", {"0-7\n"}, {-1}, 1, {0}, {0, 1, 2, 3, 4, 5, 6, 7}},
	{"0-1\n", {"0-3\n", "4-7\n"}, {0, 1}, 2, {0, 4}, {0, 1, 2, 3, 4, 5, 6, 7}},
	{"0-1\n", {"0,2,4,6\n", "1,3,5,7\n"}, {0, 1}, 2, {0, 4}, {0, 4, 1, 5, 2, 6, 3, 7}},
	{"0,2\n", {"4-7\n", "99\n", "0-3\n"}, {0, 2}, 2, {0, 4}, {4, 5, 6, 7, 0, 1, 2, 3}},
	{"0-1\n", {"0-7\n", "\n"}, {-1}, 1, {0}, {0, 1, 2, 3, 4, 5, 6, 7}}, /* memory alone */
	{"0-1\n", {"0-2\n", "5\n"}, {0, 1, -1}, 3, {0, 3, 4}, {0, 1, 2, 4, 5, 3, 6, 7}},
	{"0-1\n", {"0-7\n", "0-7\n"}, {-1}, 1, {0}, {0, 1, 2, 3, 4, 5, 6, 7}},
	{"0-1\n", {"none\n", "7\n"}, {1, -1}, 2, {0, 1}, {1, 2, 3, 4, 5, 6, 7, 0}},
	{"0-1\n", {"", ""}, {-1}, 1, {0}, {0, 1, 2, 3, 4, 5, 6, 7}},
	{"\n", {"0-3\n", "4-7\n"}, {-1}, 1, {0}, {0, 1, 2, 3, 4, 5, 6, 7}},
	{"", {"0-3\n"}, {-1}, 1, {0}, {0, 1, 2, 3, 4, 5, 6, 7}}, /* a kernel without nodes */
	{"0-7\n",
	 {"7\n", "6\n", "5\n", "4\n", "3\n", "2\n", "1\n", "0\n"},
	 {0, 1, 2, 3, 4, 5, 6, 7},
	 8,
	 {0, 1, 2, 3, 4, 5, 6, 7},
	 {7, 6, 5, 4, 3, 2, 1, 0}},
	{"0-9\n",
	 {"7\n", "6\n", "\n", "5\n", "\n", "4\n", "3\n", "2\n", "1\n", "0\n"},
	 {0, 1, 3, 5, 6, 7, 8, 9},
	 8,
	 {0, 1, 2, 3, 4, 5, 6, 7},
	 {7, 6, 5, 4, 3, 2, 1, 0}},
};

static void rings_go_by_node(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		uint16_t number_of[MAX];
		struct ring_maps maps;
		bool several;

		for (unsigned cpu = 0; cpu < MAX; cpu++)
			number_of[cpu] = cpu < 8 ? (uint16_t)cpu : UINT16_MAX;
		online = machines[i].nodes;
		node_lists = machines[i].lists;
		several = cpus_by_node(number_of, MAX, &maps);
		online = NULL;
		node_lists = NULL;
		assert_int_equal(several, machines[i].maps > 1);
		if (maps.count != machines[i].maps)
			fail_msg("machine %zu: %u maps", i, maps.count);
		assert_memory_equal(maps.first, machines[i].first, maps.count * sizeof(uint32_t));
		assert_memory_equal(maps.node, machines[i].node, maps.count * sizeof(int));
		for (unsigned cpu = 0; cpu < MAX; cpu++)
			assert_int_equal(number_of[cpu],
					 cpu < 8 ? machines[i].number[cpu] : UINT16_MAX);
	}
}

/* More nodes than maps: the last map has all further ones. */
static void the_last_map_is_shared(void **state)
{
	static const char *lists[12] = {"0\n", "1\n", "2\n", "3\n", "4\n",
					"5\n", "6\n", "8\n", "7\n", "9\n"};
	static const uint16_t wanted[] = {0, 1, 2, 3, 4, 5, 6, 8, 7, 9};
	uint16_t number_of[MAX];
	struct ring_maps maps;

	(void)state;
	for (unsigned cpu = 0; cpu < MAX; cpu++)
		number_of[cpu] = cpu < 10 ? (uint16_t)cpu : UINT16_MAX;
	online = "0-9\n";
	node_lists = lists;
	assert_true(cpus_by_node(number_of, MAX, &maps));
	online = NULL;
	node_lists = NULL;
	assert_int_equal(maps.count, RING_MAPS_MAX);
	assert_int_equal(maps.node[RING_MAPS_MAX - 2], 6);
	assert_int_equal(maps.node[RING_MAPS_MAX - 1], -1);
	assert_int_equal(maps.first[RING_MAPS_MAX - 1], 7);
	assert_memory_equal(number_of, wanted, sizeof(wanted));
}

static void this_machine_has_cpus(void **state)
{
	uint16_t number_of[4096];
	bool sparse, late;

	(void)state;
	assert_in_range(cpus_number(number_of, 4096, &sparse, &late), 1, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_numbered),
		cmocka_unit_test(who_is_offline_has_no_number),
		cmocka_unit_test(who_may_come_shares_a_ring),
		cmocka_unit_test(who_is_hidden_has_a_number),
		cmocka_unit_test(rings_go_by_node),
		cmocka_unit_test(the_last_map_is_shared),
		cmocka_unit_test(this_machine_has_cpus),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%zu passed, %d failed, 0 skipped\n",
	       sizeof(tests) / sizeof(tests[0]) - (size_t)failed, failed);
	return failed != 0;
}
