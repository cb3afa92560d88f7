/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Names come and go in a folder, and one that is new may have the inode of one that is gone: a
 * record has the name of its time, or the number of the inode.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/clock.h"
#include "xdpdump/os/netns.h"

/* The folder is one of this test, and time goes on when it says so. */
static char folder[] = "/tmp/netns_list_test.XXXXXX/";
static uint64_t wall = (uint64_t)1000 * NS_PER_SEC;
#undef NETNS_NAMED
#define NETNS_NAMED  folder
#define clock_wall() wall
#include "xdpdump/os/netns_list.c"

#define SECOND ((uint64_t)NS_PER_SEC)

static char *path(const char *name)
{
	static char text[2][PATH_MAX];
	static unsigned n;

	n = !n;
	snprintf(text[n], sizeof(text[n]), "%s%s", folder, name);
	return text[n];
}

static uint32_t add(const char *name)
{
	FILE *f = fopen(path(name), "w");

	assert_non_null(f);
	fclose(f);
	return inode_of(AT_FDCWD, path(name));
}

/* A file that is called so keeps its inode, as the kernel gives it again. */
static void give(const char *from, const char *to)
{
	assert_int_equal(rename(path(from), path(to)), 0);
}

static void is_called(struct netns_list *l, uint32_t inode, uint64_t time, const char *name)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", inode);
	assert_string_equal(netns_list_name(l, inode, time), name ? name : number);
}

static void one_that_comes_has_its_name_at_once(void **state)
{
	struct netns_list *l = netns_list_new();
	uint32_t a = add("a"), b;

	(void)state;
	is_called(l, a, wall, "a");
	is_called(l, a + 1000, wall, NULL);
	b = add("b");
	is_called(l, b, wall, "b");
	is_called(l, a, wall, "a");
	netns_list_free(l);
	unlink(path("a"));
	unlink(path("b"));
}

static void one_without_a_name_gets_it_later(void **state)
{
	struct netns_list *l = netns_list_new();
	uint32_t a = add(".a");

	(void)state;
	is_called(l, a, wall, NULL);
	give(".a", "a");
	wall += 2 * SECOND;
	is_called(l, a, wall, "a");
	is_called(l, a, wall - 2 * SECOND, NULL);
	unlink(path("a"));
	netns_list_free(l);
}

static void another_of_its_inode_has_its_own(void **state)
{
	uint32_t a = add("a");
	struct netns_list *l = netns_list_new();
	uint64_t begun = wall;

	(void)state;
	wall += 10 * SECOND;
	is_called(l, a, wall, "a");
	give("a", "b");
	wall += 10 * SECOND;
	is_called(l, a, wall, "b");
	is_called(l, a, wall - 10 * SECOND, "a");
	is_called(l, a, begun, "a");
	is_called(l, a, wall - 5 * SECOND, NULL); /* of one or the other */
	unlink(path("b"));
	netns_list_free(l);
}

static void what_it_dropped_at_its_end_is_its_own(void **state)
{
	uint32_t a = add("a");
	struct netns_list *l = netns_list_new();
	uint64_t end = wall += SECOND / 2;

	(void)state;
	give("a", ".a");
	wall += SECOND / 1000;
	is_called(l, a, end, "a");
	is_called(l, a, wall + SECOND, NULL);
	is_called(l, a, end, "a");
	give(".a", "b");
	wall += 2 * SECOND;
	is_called(l, a, wall, "b");
	netns_list_free(l);
	unlink(path("b"));
}

/* Where many come and go, or have none, the list does not grow. */
static void those_that_are_gone_are_forgotten(void **state)
{
	struct netns_list *l = netns_list_new();
	char name[16];

	(void)state;
	for (unsigned n = 0; n < 1000; n++) {
		snprintf(name, sizeof(name), "n%u", n);
		is_called(l, add(name), wall, name);
		is_called(l, n + 1, wall, NULL);
		unlink(path(name));
		wall += SECOND;
	}
	assert_true(l->count < 400);
	netns_list_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_comes_has_its_name_at_once),
		cmocka_unit_test(one_without_a_name_gets_it_later),
		cmocka_unit_test(another_of_its_inode_has_its_own),
		cmocka_unit_test(what_it_dropped_at_its_end_is_its_own),
		cmocka_unit_test(those_that_are_gone_are_forgotten),
	};
	int failed;

	folder[strlen(folder) - 1] = 0;
	if (!mkdtemp(folder))
		return 2;
	folder[strlen(folder)] = '/';
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
