/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reading through the pcap API: when calls return and with what, and that nothing spins. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <cmocka.h>

#include "tests/capture/own_net.h"
#include "live.h"
#include "testprogs/no_error.h"
#include "tests/ranges.h"

static void *break_the_wait(void *p)
{
	sleep_ms(400);
	pcap_breakloop(p);
	return NULL;
}

/* As on AF_PACKET: many programs take a 0 for the end. */
static void a_timeout_ends_no_blocking_read(void **state)
{
	static const int timeouts[] = {1, 50, 250};
	struct pcap_pkthdr *h;
	const u_char *frame;
	struct count c = {0};
	pthread_t thread;

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(timeouts) / sizeof(timeouts[0]); i++) {
		pcap_t *p = live_open(&(struct open_options){.timeout_ms = timeouts[i / 2]});
		uint64_t start = clock_ns();

		pthread_create(&thread, NULL, break_the_wait, p);
		assert_int_equal(i % 2 ? pcap_next_ex(p, &h, &frame)
				       : pcap_dispatch(p, -1, live_count, (u_char *)&c),
				 PCAP_ERROR_BREAK);
		assert_in_range((clock_ns() - start) / NS_PER_MS, 399, PATIENCE);
		pthread_join(thread, NULL);
		live_close(p);
	}
	assert_int_equal(c.frames, 0);
}

static void *send_later(void *frames)
{
	sleep_ms(200);
	live_send(*(unsigned *)frames, 0);
	return NULL;
}

/* libpcap's manual is silent on it; AF_PACKET devices do not block, and programs have it so. */
static void a_negative_timeout_does_not_block(void **state)
{
	static const char *const devices[] = {"vb", "xdp:vb", "xdp:vb,hook=tc,loader=off"};
	static const int timeouts[] = {-1, INT_MIN};
	char err[PCAP_ERRBUF_SIZE];
	struct count c = {0};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(devices) / sizeof(devices[0]); i++) {
		pcap_t *p = live_open(&(struct open_options){.device = devices[i / 2],
							     .timeout_ms = timeouts[i % 2]});

		assert_int_equal(pcap_getnonblock(p, err), 1);
		assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 0);
		live_send(1, 1);
		live_read(p, &c, c.frames + 1, PATIENCE);
		assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 0);
		live_close(p);
	}
	assert_int_equal(c.frames, 6);
}

/* Longer than the library's own look once a second. */
static void a_long_timeout_is_kept_and_ended_by_a_frame(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.timeout_ms = 60000});
	struct count c = {0};
	unsigned one = 1;
	pthread_t thread;
	uint64_t start;

	(void)state;
	sleep_ms(1100);
	pthread_create(&thread, NULL, send_later, &one);
	start = clock_ns();
	assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 1);
	assert_in_range((clock_ns() - start) / NS_PER_MS, 150, PATIENCE);
	pthread_join(thread, NULL);
	live_close(p);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* From send() to the return of the read, of frames with and without a pause before them. */
static uint64_t median_latency(pcap_t *p)
{
	enum { ROUNDS = 200 };
	uint64_t took[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		struct count c = {0};
		uint64_t start;

		sleep_ms(i % 2 ? 0 : 3);
		start = clock_ns();
		live_send(1, 0);
		while (!c.frames)
			assert_true(pcap_dispatch(p, -1, live_count, (u_char *)&c) > 0);
		took[i] = clock_ns() - start;
	}
	qsort(took, ROUNDS, sizeof(took[0]), by_number);
	print_message("latency: median %llu us, 95 %% %llu us, most %llu us\n",
		      (unsigned long long)took[ROUNDS / 2] / 1000,
		      (unsigned long long)took[ROUNDS * 95 / 100] / 1000,
		      (unsigned long long)took[ROUNDS - 1] / 1000);
	return took[ROUNDS / 2];
}

static void immediate_mode_is_immediate(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.timeout_ms = 5000, .immediate = 1});

	(void)state;
	assert_in_range(median_latency(p), 0, 50 * NS_PER_MS); /* 0.04 ms at leisure */
	live_close(p);
}

static void without_it_frames_come_within_the_timeout(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.timeout_ms = 100});

	(void)state;
	assert_in_range(median_latency(p), 0, 150 * NS_PER_MS);
	live_close(p);
}

static void frames_do_not_wait_for_the_timeout_when_no_more_come(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.timeout_ms = 5000});

	(void)state;
	assert_in_range(median_latency(p), 0, 1000 * NS_PER_MS); /* 20 to 30 ms at leisure */
	live_close(p);
}

static void a_nonblocking_read_returns_at_once(void **state)
{
	char err[PCAP_ERRBUF_SIZE] = "";
	pcap_t *p = live_open(&(struct open_options){.timeout_ms = 5000});
	struct count c = {0};
	uint64_t start = clock_ns();

	(void)state;
	assert_int_equal(pcap_getnonblock(p, err), 0);
	assert_int_equal(pcap_setnonblock(p, 1, err), 0);
	assert_int_equal(pcap_getnonblock(p, err), 1);
	for (int i = 0; i < 100; i++)
		assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 0);
	assert_in_range((clock_ns() - start) / NS_PER_MS, 0, 4000);
	live_send(10, 0);
	live_await(p, 10);
	sleep_ms(1); /* the window of the merge, where they came on two CPUs */
	assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 10);
	assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 0);
	assert_int_equal(pcap_setnonblock(p, 0, err), 0);
	live_send(1, 0);
	assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 1);
	live_close(p);
}

static void counts_are_kept_to(void **state)
{
	pcap_t *p = live_open(NULL);
	struct count c = {0};

	(void)state;
	live_send(20, 0);
	live_await(p, 20);
	sleep_ms(1);
	assert_int_equal(pcap_dispatch(p, 5, live_count, (u_char *)&c), 5);
	assert_int_equal(pcap_dispatch(p, 1, live_count, (u_char *)&c), 1);
	assert_int_equal(pcap_loop(p, 4, live_count, (u_char *)&c), 0);
	assert_int_equal(c.frames, 10);
	assert_int_equal(pcap_dispatch(p, 0, live_count, (u_char *)&c), 10);
	assert_int_equal(c.frames, 20);
	assert_int_equal(c.disorder, 0);
	live_close(p);
}

static pcap_t *to_break;

static void *break_later(void *unused)
{
	sleep_ms(200);
	pcap_breakloop(to_break);
	return unused;
}

static void breakloop_from_a_thread_ends_the_loop(void **state)
{
	struct count c = {0};
	pthread_t thread;
	uint64_t start = clock_ns();

	(void)state;
	to_break = live_open(&(struct open_options){.timeout_ms = 60000});
	pthread_create(&thread, NULL, break_later, NULL);
	assert_int_equal(pcap_loop(to_break, -1, live_count, (u_char *)&c), PCAP_ERROR_BREAK);
	assert_in_range((clock_ns() - start) / NS_PER_MS, 150, PATIENCE);
	pthread_join(thread, NULL);
	live_close(to_break);
}

static void on_alarm(int signal)
{
	(void)signal;
	pcap_breakloop(to_break);
}

static void breakloop_from_a_signal_ends_the_loop(void **state)
{
	struct sigaction a = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval soon = {.it_value = {.tv_usec = 200000}};
	struct count c = {0};
	uint64_t start = clock_ns();

	(void)state;
	to_break = live_open(&(struct open_options){.timeout_ms = 60000});
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	assert_int_equal(pcap_loop(to_break, -1, live_count, (u_char *)&c), PCAP_ERROR_BREAK);
	assert_in_range((clock_ns() - start) / NS_PER_MS, 150, PATIENCE);
	live_close(to_break);
}

static void ignore_signal(int signal)
{
	(void)signal;
}

/* tcpdump -v -w is woken by its own alarm each second. */
static void other_signals_change_nothing(void **state)
{
	struct sigaction a = {.sa_handler = ignore_signal};
	struct itimerval often = {.it_value = {.tv_usec = 10000},
				  .it_interval = {.tv_usec = 10000}};
	struct itimerval never = {0};
	pcap_t *p = live_open(&(struct open_options){.timeout_ms = 20});
	struct count c = {0};
	unsigned one = 1;
	pthread_t thread;
	uint64_t start = clock_ns();

	(void)state;
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	pthread_create(&thread, NULL, send_later, &one);
	assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 1);
	setitimer(ITIMER_REAL, &never, NULL);
	assert_in_range((clock_ns() - start) / NS_PER_MS, 100, PATIENCE);
	pthread_join(thread, NULL);
	live_close(p);
}

static void break_in_callback(u_char *count, const struct pcap_pkthdr *h, const u_char *frame)
{
	live_count(count, h, frame);
	if (((struct count *)(void *)count)->frames == 3)
		pcap_breakloop(to_break);
}

static void breakloop_in_a_callback_returns_at_once(void **state)
{
	char err[PCAP_ERRBUF_SIZE];
	struct count c = {0};

	(void)state;
	to_break = live_open(NULL);
	live_send(10, 0);
	live_await(to_break, 10);
	sleep_ms(1);
	assert_int_equal(pcap_dispatch(to_break, -1, break_in_callback, (u_char *)&c),
			 PCAP_ERROR_BREAK);
	assert_int_equal(c.frames, 3);
	assert_int_equal(pcap_dispatch(to_break, -1, live_count, (u_char *)&c), 7);
	assert_int_equal(c.disorder, 0);
	pcap_breakloop(to_break);
	assert_int_equal(pcap_dispatch(to_break, -1, live_count, (u_char *)&c), PCAP_ERROR_BREAK);
	assert_int_equal(pcap_setnonblock(to_break, 1, err), 0);
	assert_int_equal(pcap_dispatch(to_break, -1, live_count, (u_char *)&c), 0);
	live_close(to_break);
}

static pcap_t *nested;

/* Each third frame has the next two read in its callback. */
static void read_in_callback(u_char *count, const struct pcap_pkthdr *h, const u_char *frame)
{
	struct count *c = (void *)count;
	struct pcap_pkthdr *next;
	const u_char *at;

	live_count(count, h, frame);
	if (c->frames % 3 != 1)
		return;
	assert_int_equal(pcap_next_ex(nested, &next, &at), 1);
	live_count(count, next, at);
	assert_int_equal(pcap_dispatch(nested, 1, live_count, count), 1);
}

static void a_callback_may_read(void **state)
{
	struct count c = {0};

	(void)state;
	nested = live_open(NULL);
	live_send(30, 0);
	live_await(nested, 30);
	sleep_ms(1);
	assert_true(pcap_dispatch(nested, -1, read_in_callback, (u_char *)&c) > 0);
	assert_int_equal(c.frames, 30);
	assert_int_equal(c.disorder, 0);
	live_send(1, 0);
	live_read(nested, &c, 31, PATIENCE);
	assert_int_equal(c.frames, 31);
	assert_int_equal(c.disorder, 0);
	live_close(nested);
}

static jmp_buf away;

static void leave_at_fifth(u_char *count, const struct pcap_pkthdr *h, const u_char *frame)
{
	live_count(count, h, frame);
	if (((struct count *)(void *)count)->frames == 5)
		longjmp(away, 1);
}

static void a_callback_may_leave_by_longjmp(void **state)
{
	static struct count c;

	(void)state;
	nested = live_open(NULL);
	live_send(20, 0);
	live_await(nested, 20);
	sleep_ms(1);
	/* One call may end sooner, where the sender has gone to another CPU meanwhile. */
	if (!setjmp(away))
		for (unsigned i = 0; c.frames < 5 && i < 20; i++)
			assert_true(pcap_dispatch(nested, -1, leave_at_fifth, (u_char *)&c) >= 0);
	assert_int_equal(c.frames, 5);
	live_read(nested, &c, 20, PATIENCE);
	assert_int_equal(c.frames, 20);
	assert_int_equal(c.disorder, 0);
	live_close(nested);
}

static pcap_t *beside; /* NULL: none */

/* The last one that is open, at the third packet. */
static void close_at_third(u_char *count, const struct pcap_pkthdr *h, const u_char *frame)
{
	live_count(count, h, frame);
	if (((struct count *)(void *)count)->frames != 3)
		return;
	if (beside)
		live_close(beside);
	else
		live_close(nested);
}

/* In another callback: both reads end. */
static void read_and_close(u_char *count, const struct pcap_pkthdr *h, const u_char *frame)
{
	live_count(count, h, frame);
	if (((struct count *)(void *)count)->frames == 1)
		assert_int_equal(pcap_loop(nested, -1, close_at_third, count), PCAP_ERROR_BREAK);
}

static void open_with_twenty(struct count *c)
{
	*c = (struct count){0};
	nested = live_open(NULL);
	live_send(20, 0);
	live_await(nested, 20);
	sleep_ms(1);
}

/* Where devices without the prefix crash. */
static void a_callback_may_close(void **state)
{
	struct count c;

	(void)state;
	open_with_twenty(&c);
	assert_int_equal(pcap_dispatch(nested, -1, close_at_third, (u_char *)&c), PCAP_ERROR_BREAK);
	assert_int_equal(c.frames, 3);
	open_with_twenty(&c);
	assert_int_equal(pcap_loop(nested, -1, close_at_third, (u_char *)&c), PCAP_ERROR_BREAK);
	assert_int_equal(c.frames, 3);
	open_with_twenty(&c);
	assert_int_equal(pcap_loop(nested, -1, read_and_close, (u_char *)&c), PCAP_ERROR_BREAK);
	assert_int_equal(c.frames, 3);
}

static void a_callback_may_close_another(void **state)
{
	struct count c;

	(void)state;
	open_with_twenty(&c);
	beside = live_open(NULL);
	assert_int_equal(pcap_loop(nested, 20, close_at_third, (u_char *)&c), 0);
	assert_int_equal(c.frames, 20);
	assert_int_equal(c.disorder, 0);
	beside = NULL;
	live_close(nested);
}

static int readable(pcap_t *p, unsigned ms)
{
	struct timeval limit = {ms / 1000, ms % 1000 * 1000};
	int fd = pcap_get_selectable_fd(p);
	fd_set set;

	assert_true(fd >= 0);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, &set, NULL, NULL, &limit);
}

/* Before the first read, as dumpcap and nmap do. */
static void select_works_from_the_start(void **state)
{
	pcap_t *p = live_open(NULL);
	struct count c = {0};

	(void)state;
	/* The descriptor is enough: the application need not wake by the clock. */
	assert_null(pcap_get_required_select_timeout(p));
	assert_int_equal(readable(p, 100), 0);
	live_send(1, 0);
	assert_int_equal(readable(p, PATIENCE), 1);
	assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 1);
	live_close(p);
}

/* select() and one packet for each, while frames come in clusters. */
static void take_by_select(pcap_t *p, unsigned frames)
{
	struct count c = {0};
	unsigned cluster = 50;

	for (unsigned i = 0; i < frames / cluster; i++) {
		live_send(cluster, 0);
		if (i % 8 == 0)
			sleep_ms(i % 32);
		while (c.frames < (i + 1) * cluster) {
			if (!readable(p, PATIENCE))
				fail_msg("not readable with %u of %u frames read", c.frames,
					 (i + 1) * cluster);
			if (pcap_dispatch(p, 1, live_count, (u_char *)&c) < 0)
				fail_msg("%s", pcap_geterr(p));
		}
	}
	assert_int_equal(c.frames, frames);
	assert_int_equal(c.disorder, 0);
}

static void one_packet_for_each_select(void **state)
{
	char err[PCAP_ERRBUF_SIZE];
	pcap_t *p = live_open(&(struct open_options){.timeout_ms = 250});

	(void)state;
	take_by_select(p, 5000);
	assert_int_equal(pcap_setnonblock(p, 1, err), 0);
	take_by_select(p, 5000);
	live_close(p);
	p = live_open(&(struct open_options){.immediate = 1});
	take_by_select(p, 5000);
	live_close(p);
}

/* How often select() wakes in a second without traffic, and what that costs. */
static void expect_quiet(pcap_t *p, const char *when)
{
	uint64_t end = clock_ns() + NS_PER_SEC, cpu = cpu_ns();
	struct count c = {0};
	unsigned wakeups = 0;

	while (clock_ns() < end) {
		if (!readable(p, 200))
			continue;
		wakeups++;
		if (pcap_dispatch(p, -1, live_count, (u_char *)&c) < 0)
			fail_msg("%s", pcap_geterr(p));
	}
	cpu = (cpu_ns() - cpu) / NS_PER_MS;
	print_message("%s: %u wake-ups, %llu ms of CPU in 1 s\n", when, wakeups,
		      (unsigned long long)cpu);
	assert_in_range(wakeups, 0, 100); /* small rings are looked at five times a ms, for 10 */
	assert_in_range(cpu, 0, 50);
}

static void an_idle_select_does_not_spin(void **state)
{
	char err[PCAP_ERRBUF_SIZE];
	struct count c = {0};
	pcap_t *p = live_open(&(struct open_options){.timeout_ms = 10});

	(void)state;
	assert_int_equal(pcap_setnonblock(p, 1, err), 0);
	expect_quiet(p, "at the start");
	live_send(100, 0);
	live_read(p, &c, 100, PATIENCE);
	expect_quiet(p, "after traffic");
	/* The interface changes, which the kernel tells. */
	run("ip link set vb alias something && ip link set va down && ip link set va up");
	expect_quiet(p, "after changes of the interface");
	live_close(p);
}

static void an_idle_loop_does_not_spin(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.timeout_ms = 10});
	struct count c = {0};
	uint64_t cpu = cpu_ns();
	pthread_t thread;

	(void)state;
	pthread_create(&thread, NULL, break_the_wait, p);
	assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), PCAP_ERROR_BREAK);
	assert_in_range((cpu_ns() - cpu) / NS_PER_MS, 0, 20);
	pthread_join(thread, NULL);
	live_close(p);
}

/* What pcap_next_ex() gave stays as it is until it is called again, whatever comes in. */
static void a_frame_of_next_ex_stays_until_the_next(void **state)
{
	pcap_t *p = live_open(&(struct open_options){.device = "xdp:vb,ring=512K", .immediate = 1});
	struct pcap_pkthdr *h, kept_header;
	const u_char *frame;
	u_char kept[60];

	(void)state;
	live_send(1, 1);
	for (int round = 0; round < 20; round++) {
		assert_int_equal(pcap_next_ex(p, &h, &frame), 1);
		assert_int_equal(h->caplen, 60);
		memcpy(kept, frame, sizeof(kept));
		kept_header = *h;
		live_send(3000, 2); /* more than the ring holds */
		sleep_ms(5);
		assert_memory_equal(frame, kept, sizeof(kept));
		assert_memory_equal(h, &kept_header, sizeof(kept_header));
	}
	live_close(p);
}

static void a_flood_meets_every_kind_of_read(void **state)
{
	struct pcap_stat s;
	struct count c = {0};
	pcap_t *p = live_open(NULL);
	struct pcap_pkthdr *h;
	const u_char *frame;
	uint32_t before = live_sent();

	(void)state;
	for (int i = 0; i < 300; i++) {
		live_send(100, 0);
		no_error(pcap_dispatch(p, 17, live_count, (u_char *)&c));
		no_error(pcap_loop(p, 3, live_count, (u_char *)&c));
		if (pcap_next_ex(p, &h, &frame) == 1)
			live_count((u_char *)&c, h, frame);
	}
	live_await(p, live_sent() - before);
	assert_int_equal(pcap_stats(p, &s), 0);
	live_read(p, &c, live_sent() - before - s.ps_drop, PATIENCE);
	assert_int_equal(c.frames + s.ps_drop, live_sent() - before);
	assert_int_equal(s.ps_recv, live_sent() - before);
	assert_int_equal(c.disorder, 0);
	live_close(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(a_timeout_ends_no_blocking_read),
		LIVE_TEST(a_negative_timeout_does_not_block),
		LIVE_TEST(a_long_timeout_is_kept_and_ended_by_a_frame),
		LIVE_TEST(immediate_mode_is_immediate),
		LIVE_TEST(without_it_frames_come_within_the_timeout),
		LIVE_TEST(frames_do_not_wait_for_the_timeout_when_no_more_come),
		LIVE_TEST(a_nonblocking_read_returns_at_once),
		LIVE_TEST(counts_are_kept_to),
		LIVE_TEST(breakloop_from_a_thread_ends_the_loop),
		LIVE_TEST(breakloop_from_a_signal_ends_the_loop),
		LIVE_TEST(other_signals_change_nothing),
		LIVE_TEST(breakloop_in_a_callback_returns_at_once),
		LIVE_TEST(a_callback_may_read),
		LIVE_TEST(a_callback_may_leave_by_longjmp),
		LIVE_TEST(a_callback_may_close),
		LIVE_TEST(a_callback_may_close_another),
		LIVE_TEST(select_works_from_the_start),
		LIVE_TEST(one_packet_for_each_select),
		LIVE_TEST(an_idle_select_does_not_spin),
		LIVE_TEST(an_idle_loop_does_not_spin),
		LIVE_TEST(a_frame_of_next_ex_stays_until_the_next),
		LIVE_TEST(a_flood_meets_every_kind_of_read),
	};

	return LIVE_RUN(tests);
}
