/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * From a container: in a namespace of control groups who hears of the sockets of processes in other
 * groups, too.
 */
#include <fcntl.h>
#include <mntent.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "workers.h"

#define WAIT_MS 5000

static char groups[256], group[512];
static int outside = -1; /* cgroup.procs of all groups */

static void leave_out(const char *why)
{
	printf("skipped: %s: %s\n", why, strerror(errno));
	exit(77);
}

static void find_groups(void)
{
	FILE *in = setmntent("/proc/mounts", "re");
	struct mntent *m = NULL;

	while (in && (m = getmntent(in)) && strcmp(m->mnt_type, "cgroup2") != 0)
		;
	if (m)
		snprintf(groups, sizeof(groups), "%s", m->mnt_dir);
	if (in)
		endmntent(in);
}

static int move(int procs, pid_t pid)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", pid);

	return write(procs, text, (size_t)n) == n ? 0 : -errno;
}

static int open_procs(const char *of)
{
	char path[sizeof(group) + 16];

	snprintf(path, sizeof(path), "%s/cgroup.procs", of);
	return open(path, O_WRONLY | O_CLOEXEC);
}

/* As a runtime does it: its own group is all that is mounted. */
static int contain(void)
{
	int inside = open_procs(group);

	if (inside < 0 || move(inside, getpid()))
		return -1;
	close(inside);
	if (unshare(CLONE_NEWCGROUP | CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || umount2(groups, MNT_DETACH))
		return -1;
	return mount("none", groups, "cgroup2", 0, NULL);
}

static int begin_contained(void **state)
{
	if (contain())
		leave_out("cannot make a namespace of control groups");
	if (begin(state))
		return -1;
	return move(outside, worker[0].pid);
}

static enum who_class class_at(uint64_t time)
{
	const struct epb_socket s = {.how = EPB_SOCKET_OWN,
				     .cookie_low = (uint32_t)cookie[0],
				     .cookie_high = (uint32_t)(cookie[0] >> 32)};
	struct who_holders h;

	assert_int_equal(who_read(who, time), 0);
	who_label(who, &s, time, &h);
	assert_true(h.n == 0 || h.process[0]->pid == (uint32_t)worker[0].pid);
	return h.class;
}

/* No look is while it lives. */
static void what_is_short_elsewhere_is_exact_and_then_closed(void **state)
{
	uint64_t open, closed;

	(void)state;
	make(0, 0);
	open = clock_wall();
	leave(0, 0, CLOSE);
	closed = clock_wall();
	assert_int_equal(class_at(open), WHO_EXACT);
	assert_int_equal(class_at(closed), WHO_CLOSED);
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_short_elsewhere_is_exact_and_then_closed),
	};

	return cmocka_run_group_tests(tests, begin_contained, end);
}

/* Processes of it may need a moment to end. */
static bool is_removed(void)
{
	for (unsigned waited = 0; waited < WAIT_MS; waited += 10) {
		if (rmdir(group) == 0)
			return true;
		clock_sleep(10);
	}
	return false;
}

int main(void)
{
	int status = 0;
	pid_t test;

	errno = ENOENT;
	find_groups();
	if (!groups[0])
		leave_out("no control groups of version 2 are mounted");
	snprintf(group, sizeof(group), "%s/contained_test-%d", groups, getpid());
	if (access("/proc/1/root/", X_OK))
		leave_out("cannot see the files of the first process");
	outside = open_procs(groups);
	if (outside < 0 || mkdir(group, 0755))
		leave_out("cannot make a control group");
	test = fork();
	if (test == 0)
		exit(run());
	waitpid(test, &status, 0);
	if (!is_removed()) {
		printf("FAILED: %s is left\n", group);
		return 1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
