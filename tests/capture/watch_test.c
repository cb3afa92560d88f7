/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Who asks after the interface asks alone: threads that call pcap_stats() and a handler that does
 * share the socket with the reader. Of lo, which is there for everybody.
 */
#include <errno.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "capture/attach/attachment.h"
#include "capture/attach/watch.h"

#define ROUNDS 5000

static atomic_int inside, at_once, failed;
static bool interrupts;
static int64_t more; /* that the interface says it has dropped */
static struct attachment attachment;
static struct watch watch;

int __real_facts_refresh(struct facts *f, struct mnl_socket *s);
int __wrap_facts_refresh(struct facts *f, struct mnl_socket *s);

int __wrap_facts_refresh(struct facts *f, struct mnl_socket *s)
{
	int e;

	at_once += atomic_fetch_add(&inside, 1) > 0;
	if (interrupts)
		raise(SIGUSR1);
	e = __real_facts_refresh(f, s);
	failed += e != 0;
	f->nic_dropped += (uint64_t)more;
	inside--;
	return e;
}

static unsigned count_mounts(void)
{
	FILE *in = fopen("/proc/self/mountinfo", "re");
	unsigned n = 0;
	int c;

	while (in && (c = getc(in)) != EOF)
		n += c == '\n';
	if (in)
		fclose(in);
	return n;
}

static int open_watch(void **state)
{
	(void)state;
	interrupts = false;
	more = 0;
	at_once = failed = 0;
	attachment_init(&attachment);
	attachment.borrowed = true; /* it has no link to ask */
	if (facts_get("lo", &attachment.facts))
		return -1;
	watch_open(&watch, &attachment, true);
	return watch.asks ? 0 : -1;
}

static int close_watch(void **state)
{
	(void)state;
	watch_close(&watch);
	return 0;
}

static void *count(void *arg)
{
	for (int i = 0; i < ROUNDS; i++)
		watch_refresh(&watch);
	return arg;
}

static void threads_ask_one_after_the_other(void **state)
{
	pthread_t thread[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, count, NULL), 0);
	for (int i = 0; i < ROUNDS; i++)
		assert_int_equal(watch_look(&watch, false), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(at_once, 0);
	assert_int_equal(failed, 0);
}

static volatile sig_atomic_t said;

static void on_signal(int number)
{
	(void)number;
	interrupts = false;
	said = watch_refresh(&watch);
}

static void handler_does_not_wait_for_who_it_interrupts(void **state)
{
	(void)state;
	signal(SIGUSR1, on_signal);
	interrupts = true;
	assert_int_equal(watch_refresh(&watch), 0);
	assert_int_equal(said, -EBUSY);
	assert_int_equal(at_once, 0);
	assert_int_equal(watch_refresh(&watch), 0);
}

/* As of a driver that resets its card. */
static void counts_that_begin_anew_do_not_go_back(void **state)
{
	static const int64_t says[] = {10, 25, 3, 3, 8};
	static const uint64_t counted[] = {10, 25, 25, 25, 30};
	uint64_t before = watch.nic_dropped;

	(void)state;
	for (unsigned i = 0; i < sizeof(says) / sizeof(says[0]); i++) {
		more = says[i];
		assert_int_equal(watch_refresh(&watch), 0);
		assert_int_equal(watch.nic_dropped - before, counted[i]);
	}
}

/*
 * Whose /sys this is lo cannot tell: its index and address are the same in each namespace. By a
 * mount of one's own they are the files of this one, in which no frame has come, and that mount is
 * in no list.
 */
static void lo_is_not_known_by_its_address(void **state)
{
	int ifindex = (int)watch.attachment->facts.ifindex, file;
	bool mounts = unshare(CLONE_NEWNET) == 0;
	unsigned before = count_mounts();
	struct dropped d;
	uint64_t n = 1;

	(void)state;
	file = dropped_open_counter("lo", ifindex, "rx_packets");
	assert_int_equal(dropped_read_counter(file, &n), mounts);
	assert_int_equal(n, !mounts);
	close(file);
	dropped_open(&d, "lo", ifindex, "");
	assert_int_equal(dropped_read(&d, &n), mounts);
	dropped_close(&d);
	assert_int_equal(count_mounts(), before);
}

static void count_to(int file, const char *text)
{
	assert_int_equal(ftruncate(file, 0), 0);
	assert_int_equal(pwrite(file, text, strlen(text), 0), (ssize_t)strlen(text));
}

/* Of files: nobody asks for RTNL while an interface has no frames, and its programs get none. */
static void an_interface_without_frames_is_silent(void **state)
{
	(void)state;
	assert_false(watch_is_silent(&watch, SIDE_SENT)); /* not known */
	watch.sides[SIDE_SENT] = memfd_create("tx_packets", MFD_CLOEXEC);
	count_to(watch.sides[SIDE_SENT], "7\n");
	assert_false(watch_is_silent(&watch, SIDE_SENT));
	assert_true(watch_is_silent(&watch, SIDE_SENT));
	count_to(watch.sides[SIDE_SENT], "3\n"); /* the card was reset */
	assert_false(watch_is_silent(&watch, SIDE_SENT));
	assert_true(watch_is_silent(&watch, SIDE_SENT));
	count_to(watch.sides[SIDE_SENT], ""); /* gone */
	assert_false(watch_is_silent(&watch, SIDE_SENT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(threads_ask_one_after_the_other, open_watch,
						close_watch),
		cmocka_unit_test_setup_teardown(handler_does_not_wait_for_who_it_interrupts,
						open_watch, close_watch),
		cmocka_unit_test_setup_teardown(counts_that_begin_anew_do_not_go_back, open_watch,
						close_watch),
		cmocka_unit_test_setup_teardown(lo_is_not_known_by_its_address, open_watch,
						close_watch),
		cmocka_unit_test_setup_teardown(an_interface_without_frames_is_silent, open_watch,
						close_watch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
