/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Who is wanted, by what events tell; --process, --children, --cgroup. */
#include <linux/types.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "who/choice.h"
#include "who/proc.h"

#define FAR 4194304u /* no process has this number */

static struct choice *choice;

static void want(const char *names, bool children)
{
	char err[256];

	assert_int_equal(choice_of_processes(&choice, names, children, err, sizeof(err)), 0);
	assert_int_equal(choice_begin(choice), 0);
}

static void tell(enum who_event_kind kind, uint32_t pid, const char *command, uint32_t parent)
{
	struct who_event e = {.kind = (__u8)kind,
			      .time = 1000,
			      .pid = pid,
			      .start = pid * proc_tick(),
			      .parent = parent,
			      .parent_start = parent * proc_tick()};

	snprintf(e.command, sizeof(e.command), "%s", command);
	choice_event(choice, &e);
}

/* Of one that is not among those of this host. */
static enum chosen is(uint32_t pid, const char *command)
{
	struct process p = {.pid = pid, .start = pid * proc_tick()};

	snprintf(p.command[0], sizeof(p.command[0]), "%s", command);
	return choice_has_process(choice, &p, 2000);
}

static unsigned missing(void)
{
	unsigned n = 0;

	for (unsigned i = 0; choice_missing(choice, &i);)
		n++;
	return n;
}

static int end(void **state)
{
	(void)state;
	choice_free(choice);
	choice = NULL;
	return 0;
}

static void names(void **state)
{
	(void)state;
	want("systemd-resolved,no such one", false);
	assert_int_equal(is(FAR, "systemd-resolve"), CHOSEN_YES);
	assert_int_equal(is(FAR, "systemd-resolv"), CHOSEN_NOT);
	assert_int_equal(is(FAR, ""), CHOSEN_UNKNOWN);
	assert_int_equal(missing(), 1);
}

static void this_one(void **state)
{
	struct proc_stat me;
	char number[16];

	(void)state;
	assert_true(proc_stat_of((uint32_t)getpid(), &me));
	snprintf(number, sizeof(number), "%d", getpid());
	want(number, false);
	assert_int_equal(missing(), 0);
	/* Its number again, of a later process. */
	assert_int_equal(is((uint32_t)getpid(), "later"),
			 me.start == (uint64_t)getpid() ? CHOSEN_YES : CHOSEN_NOT);
}

static void a_number_that_comes(void **state)
{
	struct process later = {.pid = FAR, .start = 3 * FAR * proc_tick()};

	(void)state;
	want("4194304", false);
	assert_int_equal(missing(), 1);
	assert_int_equal(is(77, "x"), CHOSEN_NOT);
	tell(WHO_FORKED, FAR, "x", 1);
	assert_int_equal(missing(), 0);
	assert_int_equal(is(FAR, "x"), CHOSEN_YES);
	assert_int_equal(choice_has_process(choice, &later, 2000), CHOSEN_NOT);
}

static void children(void **state)
{
	(void)state;
	want("starter", true);
	tell(WHO_FORKED, 11, "shell", 10);
	tell(WHO_EXECUTED, 11, "starter", 0);
	tell(WHO_FORKED, 12, "starter", 11);
	tell(WHO_EXECUTED, 12, "x", 0);
	tell(WHO_EXITED, 11, "starter", 0);
	tell(WHO_FORKED, 13, "x", 12);
	tell(WHO_FORKED, 14, "shell", 10);
	assert_int_equal(is(12, "x"), CHOSEN_YES);
	assert_int_equal(is(13, "x"), CHOSEN_YES);
	assert_int_equal(is(14, "shell"), CHOSEN_NOT);
	choice_forget(choice, 1001);
	assert_int_equal(is(11, "ended"), CHOSEN_NOT);
	assert_int_equal(is(12, "x"), CHOSEN_YES);
	/* From here on a child may have come unseen. */
	choice_lost(choice);
	assert_int_equal(is(15, "x"), CHOSEN_UNKNOWN);
	assert_int_equal(is(13, "x"), CHOSEN_YES);
}

static void children_that_are_there(void **state)
{
	int go[2], ready[2];
	struct proc_stat c;
	struct process p = {.pid = 0};
	char number[16];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(go) | pipe(ready), 0);
	pid = fork();
	if (!pid) {
		pid_t grandchild = fork();
		char byte;

		close(go[1]);
		if (!grandchild)
			pid = (pid_t)read(go[0], &byte, 1);
		if (write(ready[1], &grandchild, sizeof(grandchild)) < 0 ||
		    read(go[0], &byte, 1) < 0)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &pid, sizeof(pid)), sizeof(pid));
	assert_true(proc_stat_of((uint32_t)pid, &c));
	snprintf(number, sizeof(number), "%d", getpid());
	want(number, true);
	p.pid = c.pid;
	p.start = c.start * proc_tick();
	assert_int_equal(choice_has_process(choice, &p, 2000), CHOSEN_YES);
	close(go[1]);
	close(go[0]);
}

static enum chosen in_group(const char *wanted, const char *path)
{
	struct process p = {.pid = FAR};
	enum chosen is;
	char err[256];

	cgroup_names_of_path(&p.group, path);
	assert_int_equal(choice_of_group(&choice, wanted, err, sizeof(err)), 0);
	is = choice_has_process(choice, &p, 2000);
	choice_free(choice);
	choice = NULL;
	return is;
}

/* It was in another group until then. */
static void a_group_that_changes(void **state)
{
	struct process p = {.pid = FAR, .moved = 2000};
	char err[256];

	(void)state;
	cgroup_names_of_path(&p.group, "/a");
	assert_int_equal(choice_of_group(&choice, "/a", err, sizeof(err)), 0);
	assert_int_equal(choice_has_process(choice, &p, 1999), CHOSEN_UNKNOWN);
	assert_int_equal(choice_has_process(choice, &p, 2000), CHOSEN_YES);
}

static void groups(void **state)
{
	static const char id[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
	char path[128], first[13];

	(void)state;
	assert_int_equal(in_group("/a/b", "/a/b"), CHOSEN_YES);
	assert_int_equal(in_group("/a/b/", "/a/b/c"), CHOSEN_YES);
	assert_int_equal(in_group("/a/b", "/a/bc"), CHOSEN_NOT);
	assert_int_equal(in_group("/", "/a"), CHOSEN_YES);
	assert_int_equal(in_group("/a", ""), CHOSEN_UNKNOWN);
	assert_int_equal(in_group("nginx.service", "/system.slice/nginx.service"), CHOSEN_YES);
	assert_int_equal(in_group("system.slice", "/system.slice/nginx.service"), CHOSEN_YES);
	assert_int_equal(in_group("nginx", "/system.slice/nginx.service"), CHOSEN_NOT);
	snprintf(path, sizeof(path), "/system.slice/docker-%s.scope", id);
	snprintf(first, sizeof(first), "%.12s", id);
	assert_int_equal(in_group(id, path), CHOSEN_YES);
	assert_int_equal(in_group(first, path), CHOSEN_YES);
	assert_int_equal(in_group("0123", path), CHOSEN_NOT);
	/* A name is not the beginning of another one. */
	assert_int_equal(in_group("web-frontend", "/lxc.payload.web-frontend"), CHOSEN_YES);
	assert_int_equal(in_group("web-frontend", "/lxc.payload.web-frontend-2"), CHOSEN_NOT);
	assert_int_equal(in_group("0123456789ab", "/lxc.payload.0123456789abc"), CHOSEN_NOT);
	assert_int_equal(in_group("my-box", "/machine.slice/machine-my\\x2dbox.scope"), CHOSEN_YES);
}

/* Who found no room may run on, whoever else has ended. */
static void too_many(void **state)
{
	const uint32_t first = 100, room = 65536;

	(void)state;
	want("4194303", true);
	tell(WHO_FORKED, FAR - 1, "x", 1);
	for (uint32_t i = 1; i < room; i++)
		tell(WHO_FORKED, first + i, "x", FAR - 1);
	assert_false(choice_is_full(choice));
	assert_int_equal(is(first, "x"), CHOSEN_NOT);
	tell(WHO_FORKED, first + room, "x", FAR - 1);
	assert_true(choice_is_full(choice));
	assert_int_equal(is(first + 1, "x"), CHOSEN_YES);
	assert_int_equal(is(first + room, "x"), CHOSEN_UNKNOWN);
	for (uint32_t i = 1; i < room; i++)
		tell(WHO_EXITED, first + i, "x", FAR - 1);
	choice_forget(choice, 2000);
	assert_int_equal(is(first, "x"), CHOSEN_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(names, end),
		cmocka_unit_test_teardown(this_one, end),
		cmocka_unit_test_teardown(a_number_that_comes, end),
		cmocka_unit_test_teardown(children, end),
		cmocka_unit_test_teardown(children_that_are_there, end),
		cmocka_unit_test_teardown(too_many, end),
		cmocka_unit_test(groups),
		cmocka_unit_test_teardown(a_group_that_changes, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
