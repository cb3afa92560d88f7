/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Looks at all descriptors see each socket of a process once, however many it has, and leave them
 * alone: what is closed during a look is closed then. (Whoever holds the file for a moment delays
 * that: a peer hears of it later, and epoll reports a descriptor that may be another by then.)
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/capture/own_net.h"
#include "tests/ranges.h"
#include "looking.h"
#include "who/looker.h"
#include "who/who.h"

#define SOCKETS 2500 /* more than a look has room for at a time */
#define CLOSES	2000 /* no more: whoever looks hears of each */

static struct who *who;
static struct looks looks;

struct found {
	uint64_t cookie[SOCKETS];
	unsigned n;
};

/* One look: what it sees of this process. */
static void look(int link, struct found *f)
{
	int fd = bpf_iter_create(link);
	ssize_t got = 0;
	char none;

	assert_true(fd >= 0);
	f->n = 0;
	do {
		looks.room->n = 0;
		got = read(fd, &none, sizeof(none));
		assert_true(got == 0 || errno == EAGAIN);
		for (uint32_t i = 0; i < looks.room->n; i++)
			if (looks.room->seen[i].pid == (uint32_t)getpid() && f->n++ < SOCKETS)
				f->cookie[f->n - 1] = looks.room->seen[i].cookie;
	} while (got);
	close(fd);
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t cookie_of(int fd)
{
	socklen_t size = sizeof(uint64_t);
	uint64_t cookie = 0;

	assert_int_equal(getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size), 0);
	return cookie;
}

static void each_is_seen_once(void **unused)
{
	static struct found held, walked;
	static uint64_t wanted[SOCKETS];
	static int fd[SOCKETS];

	(void)unused;
	look(looks.holding, &held); /* those that are older have cookies now, too */
	for (unsigned i = 0; i < SOCKETS; i++) {
		fd[i] = socket(AF_INET, SOCK_DGRAM, 0);
		assert_true(fd[i] >= 0);
	}
	/* It sees none without a cookie: these got theirs as they were made. */
	look(looks.walking, &walked);
	look(looks.holding, &held);
	for (unsigned i = 0; i < SOCKETS; i++) {
		wanted[i] = cookie_of(fd[i]);
		close(fd[i]);
	}
	assert_int_equal(held.n, SOCKETS);
	assert_int_equal(walked.n, SOCKETS);
	qsort(wanted, SOCKETS, sizeof(wanted[0]), compare);
	qsort(held.cookie, SOCKETS, sizeof(wanted[0]), compare);
	qsort(walked.cookie, SOCKETS, sizeof(wanted[0]), compare);
	assert_memory_equal(held.cookie, wanted, sizeof(wanted));
	assert_memory_equal(walked.cookie, wanted, sizeof(wanted));
}

static void *look_on(void *end)
{
	struct found f;

	while (!__atomic_load_n((int *)end, __ATOMIC_RELAXED))
		look(looks.walking, &f);
	return NULL;
}

static int bound_socket(void)
{
	const struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(4000)};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	assert_true(fd >= 0);
	if (bind(fd, (const struct sockaddr *)&at, sizeof(at)) == 0)
		return fd;
	assert_int_equal(errno, EADDRINUSE);
	close(fd);
	return -1;
}

/* Somebody else on this machine may hold some just then. By the look that holds files it is each
 * tenth. */
static void closed_is_closed(void **unused)
{
	unsigned late = 0;
	pthread_t looker;
	int end = 0;

	(void)unused;
	assert_int_equal(pthread_create(&looker, NULL, look_on, &end), 0);
	for (unsigned i = 0; i < CLOSES; i++) {
		int fd = bound_socket();

		if (fd >= 0)
			close(fd);
		else
			late++;
	}
	__atomic_store_n(&end, 1, __ATOMIC_RELAXED);
	pthread_join(looker, NULL);
	print_message("%u of %u closed late\n", late, CLOSES);
	assert_in_range(late, 0, CLOSES / 100);
}

static int begin(void **unused)
{
	char err[512];

	(void)unused;
	own_net();
	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){SOCKETS + 100, SOCKETS + 100}))
		return -1;
	if (who_open(&who, false, err, sizeof(err)))
		exit(status_without(err));
	looks = who_looks(who);
	return 0;
}

static int finish(void **unused)
{
	(void)unused;
	who_close(who);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_seen_once),
		cmocka_unit_test(closed_is_closed),
	};

	return cmocka_run_group_tests(tests, begin, finish);
}
