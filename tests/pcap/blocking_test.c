/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Blocking reads, as AF_PACKET has them, whatever passes between two of them: no 0, whatever the
 * time-out, and each packet once. Many programs take a 0 for the end. The same is asked of
 * AF_PACKET itself.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/capture/own_net.h"
#include "tests/random.h"
#include "live.h"
#include "testprogs/no_error.h"

#define BURSTS	120
#define BURST	8   /* frames at most */
#define GAP_MS	35  /* at most between two bursts */
#define SNAPLEN 128 /* small, so that AF_PACKET's buffer takes all that is sent */
#define WORK_MS 21  /* less than it between two reads */
/* Kinds of frames. */
enum { COUNTS, FILLING, LAST_ONE };

static const int timeouts[] = {0, 10, 1000};
#define READERS (2 * (int)(sizeof(timeouts) / sizeof(timeouts[0])))

enum how { ALL, NEXT_EX, ONE, NEXT, HOWS };
static const char *const hows[] = {"pcap_dispatch(-1)", "pcap_next_ex()", "pcap_dispatch(1)",
				   "pcap_next()"};

struct reader {
	pcap_t *p;
	int timeout_ms;
	bool immediate;
	enum how how;
	uint64_t random;
	struct count got;
	unsigned reads, zeros;
	char failure[200];
	pthread_t thread;
};

static const char *in_words(const struct reader *r)
{
	return r->immediate ? "immediate" : "batched";
}

/* As pcap_dispatch(): how many packets, or a status. */
static int read_by(struct reader *r)
{
	struct pcap_pkthdr *h, header;
	const u_char *frame;
	int n = 1;

	switch (r->how) {
	case ALL:
	case ONE:
		return pcap_dispatch(r->p, r->how == ALL ? -1 : 1, live_count, (u_char *)&r->got);
	case NEXT_EX:
		n = pcap_next_ex(r->p, &h, &frame);
		if (n == 1)
			live_count((u_char *)&r->got, h, frame);
		return n;
	default:
		frame = pcap_next(r->p, &header);
		if (frame)
			live_count((u_char *)&r->got, &header, frame);
		return frame != NULL;
	}
}

/* False: it is an end that AF_PACKET does not make. */
static bool judge(struct reader *r, int n, uint64_t took)
{
	r->reads++;
	r->zeros += n == 0;
	if (n > 0)
		return true;
	snprintf(r->failure, sizeof(r->failure),
		 "%s, to_ms %d, %s: read %u returned %d after %llu us, with %u frames read",
		 hows[r->how], r->timeout_ms, in_words(r), r->reads, n,
		 (unsigned long long)took / 1000, r->got.frames);
	return false;
}

/* Who takes one packet at a time does not work for each: it would never wait. */
static void work(struct reader *r)
{
	uint64_t drawn = random_next(&r->random) >> 32;

	if (r->how == ALL || drawn % 8 == 0)
		sleep_ms((unsigned)(drawn / 8 % WORK_MS));
}

static void *read_all(void *data)
{
	struct reader *r = data;

	while (!r->got.kinds[LAST_ONE]) {
		uint64_t start = clock_ns();
		int n = read_by(r);

		if (!judge(r, n, clock_ns() - start))
			break;
		work(r);
	}
	return NULL;
}

static void open_reader(struct reader *r, const char *device, int i, int round)
{
	*r = (struct reader){.timeout_ms = timeouts[i / 2],
			     .immediate = i % 2,
			     .how = (enum how)((i + round) % HOWS),
			     .random = RANDOM_SEED + (uint64_t)i};
	r->p = live_create(&(struct open_options){.device = device,
						  .snaplen = SNAPLEN,
						  .immediate = r->immediate});
	no_error(pcap_set_timeout(r->p, r->timeout_ms));
	if (pcap_activate(r->p))
		fail_msg("%s: %s", device, pcap_geterr(r->p));
}

static void send_bursts(void)
{
	uint64_t random = RANDOM_SEED;

	for (int i = 0; i < BURSTS; i++) {
		uint64_t drawn = random_next(&random) >> 32;

		live_send((unsigned)(drawn % BURST) + 1, COUNTS);
		sleep_ms((unsigned)(drawn / BURST % GAP_MS));
	}
	live_send(1, LAST_ONE);
}

/*
 * AF_PACKET without a time-out keeps packets until a block of them is full: it is filled here.
 * Where the reader's end does not come it is made.
 */
static void join(struct reader *r, bool fill)
{
	uint64_t end = clock_ns() + PATIENCE * NS_PER_MS;

	while (pthread_tryjoin_np(r->thread, NULL)) {
		if (clock_ns() > end) {
			pcap_breakloop(r->p);
			pthread_join(r->thread, NULL);
			snprintf(r->failure, sizeof(r->failure),
				 "%s, to_ms %d, %s: does not return, with %u frames read",
				 hows[r->how], r->timeout_ms, in_words(r), r->got.frames);
			return;
		}
		if (fill)
			live_send_sized(50, FILLING, 1514);
		sleep_ms(5);
	}
}

static void expect_all(const struct reader *r, const char *device, unsigned sent)
{
	unsigned got = r->got.kinds[COUNTS] + r->got.kinds[LAST_ONE];

	if (r->failure[0])
		fail_msg("%s: %s", device, r->failure);
	if (got != sent || r->got.disorder)
		fail_msg("%s: %s, to_ms %d: %u of %u frames, %u out of order", device, hows[r->how],
			 r->timeout_ms, got, sent, r->got.disorder);
}

static void read_blocking(const char *device, int round)
{
	static struct reader readers[READERS];
	unsigned sent = live_sent();

	for (int i = 0; i < READERS; i++)
		open_reader(&readers[i], device, i, round);
	for (int i = 0; i < READERS; i++)
		assert_int_equal(pthread_create(&readers[i].thread, NULL, read_all, &readers[i]),
				 0);
	send_bursts();
	sent = live_sent() - sent;
	for (int i = 0; i < READERS; i++)
		join(&readers[i], strcmp(device, "vb") == 0);
	for (int i = 0; i < READERS; i++) {
		const struct reader *r = &readers[i];

		print_message("%s: %s, to_ms %d, %s: %u frames, %u reads, %u of them 0\n", device,
			      hows[r->how], r->timeout_ms, in_words(r), r->got.frames, r->reads,
			      r->zeros);
	}
	for (int i = 0; i < READERS; i++)
		expect_all(&readers[i], device, sent);
	for (int i = 0; i < READERS; i++)
		live_close(readers[i].p);
}

static void af_packet_returns_no_0(void **state)
{
	(void)state;
	read_blocking("vb", 0);
}

static void at_xdp_no_read_returns_0(void **state)
{
	(void)state;
	read_blocking("xdp:vb,ring=512K", 1);
}

static void at_tc_no_read_returns_0(void **state)
{
	(void)state;
	read_blocking("xdp:vb,hook=tc,ring=512K", 2);
}

static void at_the_packet_tap_no_read_returns_0(void **state)
{
	(void)state;
	read_blocking("xdp:vb,hook=packet,ring=512K", 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(af_packet_returns_no_0),
		LIVE_TEST(at_xdp_no_read_returns_0),
		LIVE_TEST(at_tc_no_read_returns_0),
		LIVE_TEST(at_the_packet_tap_no_read_returns_0),
	};

	return LIVE_RUN(tests);
}
