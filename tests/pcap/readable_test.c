/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Readable means readable: after select(), poll() or epoll a read delivers, fails or breaks, and
 * does not sleep; and nothing else wakes. Handles of all kinds wait together, as in an event loop.
 */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/capture/own_net.h"
#include "live.h"
#include "testprogs/no_error.h"
#include "tests/ranges.h"

#define LINK_DETACH 34 /* BPF_LINK_DETACH of <linux/bpf.h>, which is not for who sees pcap's */

#define HANDLES	     8
#define LONG_TIMEOUT 1500 /* ms: whoever sleeps for it is found */
#define AT_ONCE	     (700 * NS_PER_MS)
/*
 * Wakes for nothing in a round: a program that is interrupted between a record and its look at who
 * sleeps rings for a record that was read meanwhile.
 */
#define VAIN_MOST     2
#define BURSTS	      6
#define FRAMES	      20
#define LONGEST_SLEEP 3000 /* ms without a wake that end a wait, unless SILENCE_SECONDS says so */

struct handle {
	pcap_t *p;
	int fd, reads; /* reads: for each wake */
	char what[64];
	struct count got;
	unsigned wakes, vain;
	int status; /* of the last read */
};

static struct handle handles[HANDLES];

static int longest_sleep(void)
{
	const char *seconds = getenv("SILENCE_SECONDS");

	return seconds ? atoi(seconds) * 1000 : LONGEST_SLEEP;
}

/* Blocking or not, immediate or not, two time-outs; who does not block reads once, twice or more.
 */
static void open_all(void)
{
	char err[PCAP_ERRBUF_SIZE];

	for (int i = 0; i < HANDLES; i++) {
		struct handle *h = &handles[i];
		struct open_options o = {.device = "xdp:vb,hook=tc,ring=512K",
					 .immediate = i & 1,
					 .timeout_ms = i & 2 ? LONG_TIMEOUT : 10};

		*h = (struct handle){.p = live_open(&o), .reads = i & 4 ? 1 + i % 4 : 1};
		assert_int_equal(pcap_setnonblock(h->p, i & 4, err), 0);
		h->fd = pcap_get_selectable_fd(h->p);
		snprintf(h->what, sizeof(h->what), "%sblocking, %s, to_ms %d, %d reads",
			 i & 4 ? "non-" : "", i & 1 ? "immediate" : "batched", o.timeout_ms,
			 h->reads);
	}
}

static void close_all(void)
{
	for (int i = 0; i < HANDLES; i++)
		live_close(handles[i].p);
}

static int by_select(bool *readable, int ms)
{
	struct timeval limit = {ms / 1000, ms % 1000 * 1000};
	fd_set set;
	int most = 0, n;

	FD_ZERO(&set);
	for (int i = 0; i < HANDLES; i++) {
		FD_SET(handles[i].fd, &set);
		most = handles[i].fd > most ? handles[i].fd : most;
	}
	n = select(most + 1, &set, NULL, NULL, &limit);
	for (int i = 0; i < HANDLES; i++)
		readable[i] = n > 0 && FD_ISSET(handles[i].fd, &set);
	return n;
}

static int by_poll(bool *readable, int ms)
{
	struct pollfd p[HANDLES];
	int n;

	for (int i = 0; i < HANDLES; i++)
		p[i] = (struct pollfd){.fd = handles[i].fd, .events = POLLIN};
	n = poll(p, HANDLES, ms);
	for (int i = 0; i < HANDLES; i++)
		readable[i] = n > 0 && p[i].revents;
	return n;
}

static int by_epoll(bool *readable, int ms)
{
	struct epoll_event event[HANDLES];
	int epoll = epoll_create1(0), n;

	assert_true(epoll >= 0);
	for (int i = 0; i < HANDLES; i++) {
		event[i] = (struct epoll_event){.events = EPOLLIN, .data.fd = i};
		assert_int_equal(epoll_ctl(epoll, EPOLL_CTL_ADD, handles[i].fd, &event[i]), 0);
		readable[i] = false;
	}
	n = epoll_wait(epoll, event, HANDLES, ms);
	for (int i = 0; i < n; i++)
		readable[event[i].data.fd] = true;
	close(epoll);
	return n;
}

static void read_one(struct handle *h)
{
	int got = 0;

	h->wakes++;
	for (int i = 0; i < h->reads; i++) {
		uint64_t start = clock_ns(), took;

		h->status = pcap_dispatch(h->p, -1, live_count, (u_char *)&h->got);
		took = clock_ns() - start;
		if (took > AT_ONCE)
			fail_msg("%s: readable, and a read took %llu ms and returned %d", h->what,
				 (unsigned long long)(took / NS_PER_MS), h->status);
		if (h->status < 0)
			return;
		got += h->status;
	}
	h->vain += !got;
}

/* An event loop, until there was no wake for so many ms; it returns how many there were. */
static unsigned loop(int round, int quiet_ms)
{
	static int (*const waits[])(bool *, int) = {by_select, by_poll, by_epoll};
	bool readable[HANDLES];
	unsigned wakes = 0;

	while (waits[round % 3](readable, quiet_ms) > 0) {
		for (int i = 0; i < HANDLES; i++) {
			if (!readable[i])
				continue;
			read_one(&handles[i]);
			if (handles[i].status < 0)
				return wakes;
			wakes++;
		}
	}
	return wakes;
}

static unsigned frames_got(void)
{
	unsigned least = handles[0].got.frames;

	for (int i = 0; i < HANDLES; i++)
		least = handles[i].got.frames < least ? handles[i].got.frames : least;
	return least;
}

static void a_read_after_readable_does_not_sleep(void **state)
{
	(void)state;
	open_all();
	for (int round = 0; round < BURSTS; round++) {
		uint64_t end = clock_ns() + PATIENCE * NS_PER_MS;

		for (int i = 0; i < HANDLES; i++)
			handles[i].vain = 0;
		for (int n = 0; n < FRAMES; n += 5) { /* together, apart, and in between */
			live_send(5, 0);
			loop(round, round * 3);
		}
		while (frames_got() < (unsigned)(round + 1) * FRAMES && clock_ns() < end)
			loop(round, 200);
		loop(round, 200);
		for (int i = 0; i < HANDLES; i++) {
			const struct handle *h = &handles[i];

			if (h->got.frames != (unsigned)(round + 1) * FRAMES || h->got.disorder)
				fail_msg("%s: %u of %d frames", h->what, h->got.frames,
					 (round + 1) * FRAMES);
			if (h->vain > VAIN_MOST)
				fail_msg("%s: %u wakes for nothing", h->what, h->vain);
		}
	}
	close_all();
}

static void expect_no_wake(const char *when, int ms)
{
	for (int i = 0; i < HANDLES; i++)
		handles[i].vain = 0;
	loop(0, ms);
	for (int i = 0; i < HANDLES; i++)
		if (handles[i].vain)
			fail_msg("%s: %s: %u wakes for nothing", handles[i].what, when,
				 handles[i].vain);
}

static void nobody_wakes_an_idle_capture(void **state)
{
	(void)state;
	open_all();
	loop(0, 100);
	expect_no_wake("at the start", longest_sleep());
	live_send(FRAMES, 0);
	loop(0, 200);
	assert_int_equal(frames_got(), FRAMES);
	expect_no_wake("after traffic", longest_sleep());
	run("ip link set vb alias something; ip link add du0 type veth peer name du1; ip link del du0");
	expect_no_wake("as other interfaces come and go", 500);
	close_all();
}

/* When it is told depends on who else has the CPU. */
static void expect_all_to_end(void (*how)(void), const char *words)
{
	open_all();
	loop(0, 100);
	how();
	for (int left = HANDLES; left;) {
		bool readable[HANDLES];

		if (by_poll(readable, PATIENCE) <= 0)
			fail_msg("%s: %d handles are not told", words, left);
		for (int i = 0; i < HANDLES; i++) {
			struct handle *h = &handles[i];

			if (!readable[i] || h->status < 0)
				continue;
			read_one(h);
			if (h->status >= 0)
				continue;
			assert_non_null(strstr(pcap_geterr(h->p), words));
			h->fd = -1; /* which poll() leaves out */
			left--;
		}
	}
	close_all();
}

/* Who sleeps until it is woken is not gone: no frame is passed on to the host. */
static void an_idle_reader_is_no_deserter(void **state)
{
	static const char *const engines[] = {"sample=2", "flow-cutoff=100M"};
	char device[96], err[PCAP_ERRBUF_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		struct open_options o = {.device = device};
		struct pollfd p = {.events = POLLIN};
		struct count c = {0};
		struct pcap_stat s;
		pcap_t *h;

		snprintf(device, sizeof(device), "xdp:vb,after=drop,watchdog=2s,%s", engines[i]);
		h = live_open(&o);
		p.fd = pcap_get_selectable_fd(h);
		no_error(pcap_setnonblock(h, 1, err));
		no_error(pcap_dispatch(h, -1, live_count, (u_char *)&c));
		while (poll(&p, 1, longest_sleep()) > 0)
			no_error(pcap_dispatch(h, -1, live_count, (u_char *)&c));
		live_send(FRAMES, 0);
		while (poll(&p, 1, 100) > 0)
			no_error(pcap_dispatch(h, -1, live_count, (u_char *)&c));
		assert_in_range(c.frames, FRAMES / 2, FRAMES);
		assert_int_equal(pcap_stats(h, &s), 0);
		if (s.ps_drop)
			fail_msg("%s: %u frames passed on", device, s.ps_drop);
		live_close(h);
	}
}

/* As bpftool does: of the handles' own links, for others' interfaces may have the same number. */
static void detach_all(void)
{
	unsigned n = 0;

	for (int fd = 3; fd < 1024; fd++) {
		uint32_t attr = (uint32_t)fd;
		char path[32], to[32] = "";

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (readlink(path, to, sizeof(to) - 1) > 0 && strstr(to, "bpf_link"))
			n += syscall(SYS_bpf, LINK_DETACH, &attr, sizeof(attr)) == 0;
	}
	assert_true(n >= HANDLES); /* of each side one */
}

/* Frames of before the filter, all of which it leaves out: of a run that is new, or read in part. */
static void a_read_of_what_is_left_out_does_not_sleep(void **state)
{
	(void)state;
	for (int part = 0; part < 2; part++) {
		struct open_options o = {.device = "xdp:vb,hook=tc,ring=512K",
					 .timeout_ms = LONG_TIMEOUT};
		pcap_t *p = live_open(&o);
		struct count c = {.frames = 0};
		uint64_t begun;

		live_send(FRAMES, 0);
		live_await(p, FRAMES);
		if (part)
			assert_int_equal(pcap_dispatch(p, 1, live_count, (u_char *)&c), 1);
		live_filter(p, "udp port 77");
		assert_true(live_readable(p, LONGEST_SLEEP));
		begun = clock_ns();
		assert_int_equal(pcap_dispatch(p, -1, live_count, (u_char *)&c), 0);
		assert_true(clock_ns() - begun < AT_ONCE);
		assert_int_equal(c.frames, part);
		live_close(p);
	}
}

static jmp_buf away;

static void leave(u_char *count, const struct pcap_pkthdr *h, const u_char *frame)
{
	live_count(count, h, frame);
	longjmp(away, 1);
}

/* A read, after a wait for the descriptor or without, which the callback leaves. */
static void read_and_leave(pcap_t *p, bool waits, struct count *c)
{
	const unsigned before = c->frames;

	while (c->frames == before) {
		if (waits && !live_readable(p, PATIENCE))
			fail_msg("frame %u: not readable", before);
		if (!setjmp(away))
			no_error(pcap_dispatch(p, -1, leave, (u_char *)c));
	}
}

/* Blocking or not, immediate or not, and whether the reads before were waited for. */
static void what_a_longjmp_leaves_is_readable(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++) {
		struct open_options o = {.device = "xdp:vb,hook=tc,ring=512K",
					 .immediate = i & 1,
					 .timeout_ms = 10};
		pcap_t *p = live_open(&o);
		char err[PCAP_ERRBUF_SIZE];
		struct count c = {.frames = 0};

		no_error(pcap_setnonblock(p, i & 2, err));
		live_send(FRAMES, 0);
		read_and_leave(p, i & 4, &c);
		live_await(p, FRAMES);
		for (int n = 0; n < 3; n++)
			read_and_leave(p, i & 4, &c);
		while (c.frames < FRAMES) {
			if (!live_readable(p, LONGEST_SLEEP))
				fail_msg("case %d: not readable for frames %u to %d", i, c.frames,
					 FRAMES);
			no_error(pcap_dispatch(p, -1, live_count, (u_char *)&c));
		}
		assert_int_equal(c.disorder, 0);
		live_close(p);
	}
}

static void delete_it(void)
{
	run("ip link del vb");
}

static void the_end_of_the_interface_is_told(void **state)
{
	(void)state;
	expect_all_to_end(delete_it, "disappeared");
	veth_pair("");
}

/* The kernel tells nobody: the loader process looks. */
static void a_detached_program_is_told(void **state)
{
	(void)state;
	expect_all_to_end(detach_all, "detached");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(a_read_after_readable_does_not_sleep),
		LIVE_TEST(a_read_of_what_is_left_out_does_not_sleep),
		LIVE_TEST(what_a_longjmp_leaves_is_readable),
		LIVE_TEST(nobody_wakes_an_idle_capture),
		LIVE_TEST(an_idle_reader_is_no_deserter),
		LIVE_TEST(the_end_of_the_interface_is_told),
		LIVE_TEST(a_detached_program_is_told),
	};

	return LIVE_RUN(tests);
}
