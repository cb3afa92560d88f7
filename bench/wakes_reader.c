/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * For bench/wakes: who selects, and who sends evenly.
 *	wakes_reader read DEVICE TO_MS IMMEDIATE	until SIGINT; what it took in one line of
 *JSON wakes_reader send INTERFACE RATE SECONDS	frames of 60 bytes, one by one
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "testprogs/json.h"
#include "testprogs/no_error.h"

#define FRAME_SIZE   60
#define ETHERTYPE    0x88b5 /* IEEE 802: for experiments */
#define NS_PER_SEC   1000000000ull
#define LONGEST_LATE (NS_PER_SEC / 5) /* who is behind by more sends on from there */

struct tally {
	uint64_t frames, late_sum_ns, late_max_ns;
};

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
	(void)number;
	stopped = 1;
}

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "wakes_reader: %s: %s\n", what, why);
	return 1;
}

/* From the frame's stamp to the callback. */
static void on_frame(u_char *user, const struct pcap_pkthdr *h, const u_char *frame)
{
	uint64_t stamp = (uint64_t)h->ts.tv_sec * NS_PER_SEC + (uint64_t)h->ts.tv_usec;
	struct tally *t = (void *)user;
	uint64_t late = now(CLOCK_REALTIME) - stamp;

	if (frame[12] != ETHERTYPE >> 8)
		return;
	t->frames++;
	t->late_sum_ns += late;
	if (late > t->late_max_ns)
		t->late_max_ns = late;
}

static pcap_t *open_device(const char *device, int timeout_ms, int immediate)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_create(device, error);

	if (!p) {
		fail(device, error);
		return NULL;
	}
	no_error(pcap_set_snaplen(p, 2048));
	no_error(pcap_set_timeout(p, timeout_ms));
	no_error(pcap_set_immediate_mode(p, immediate));
	no_error(pcap_set_tstamp_precision(p, PCAP_TSTAMP_PRECISION_NANO));
	if (pcap_activate(p) >= 0 && pcap_setnonblock(p, 1, error) == 0)
		return p;
	fail(device, pcap_geterr(p));
	pcap_close(p);
	return NULL;
}

static void report(pcap_t *p, const struct tally *t, uint64_t wakes, uint64_t vain, uint64_t cpu)
{
	struct pcap_stat s = {0};
	struct rusage usage;
	struct json json;

	no_error(pcap_stats(p, &s));
	getrusage(RUSAGE_SELF, &usage);
	json_open(&json, stdout);
	json_count(&json, "frames", t->frames);
	json_count(&json, "lost", s.ps_drop);
	json_count(&json, "wakes", wakes);
	json_count(&json, "vain", vain);
	json_count(&json, "cpu_ns", cpu);
	json_count(&json, "sleeps", (uint64_t)usage.ru_nvcsw);
	json_count(&json, "late_sum_ns", t->late_sum_ns);
	json_count(&json, "late_max_ns", t->late_max_ns);
	json_close(&json);
}

/* An event loop: poll(), and one read of all there is. */
static int read_until_told(char **arg)
{
	pcap_t *p = open_device(arg[0], atoi(arg[1]), atoi(arg[2]));
	struct sigaction act = {.sa_handler = on_signal};
	struct pollfd fd = {.events = POLLIN};
	uint64_t wakes = 0, vain = 0, cpu;
	struct tally t = {0};
	int n = 0;

	if (!p)
		return 1;
	sigaction(SIGINT, &act, NULL);
	fd.fd = pcap_get_selectable_fd(p);
	fprintf(stderr, "ready\n");
	cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	while (!stopped && n >= 0) {
		if (poll(&fd, 1, -1) <= 0)
			continue;
		n = pcap_dispatch(p, -1, on_frame, (u_char *)&t);
		wakes++;
		vain += n == 0;
	}
	if (n < 0)
		return fail(arg[0], pcap_geterr(p));
	report(p, &t, wakes, vain, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	pcap_close(p);
	return 0;
}

static int open_sender(const char *interface)
{
	struct sockaddr_ll a = {.sll_family = AF_PACKET,
				.sll_ifindex = (int)if_nametoindex(interface)};
	int s = socket(AF_PACKET, SOCK_RAW, 0);

	return s >= 0 && bind(s, (struct sockaddr *)&a, sizeof(a)) == 0 ? s : -1;
}

static void sleep_until(uint64_t ns)
{
	struct timespec at = {(time_t)(ns / NS_PER_SEC), (long)(ns % NS_PER_SEC)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static int send_evenly(char **arg)
{
	static const uint8_t head[14] =
		{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, ETHERTYPE >> 8, ETHERTYPE & 0xff};
	uint64_t rate = strtoull(arg[1], NULL, 10), sent = 0, at = now(CLOCK_MONOTONIC);
	uint64_t end = at + strtoull(arg[2], NULL, 10) * NS_PER_SEC;
	uint8_t frame[FRAME_SIZE] = {0};
	int s = open_sender(arg[0]);
	struct json json;

	if (s < 0 || !rate)
		return fail(arg[0], strerror(errno));
	memcpy(frame, head, sizeof(head));
	prctl(PR_SET_TIMERSLACK, 1);
	while (at < end) {
		sent += send(s, frame, sizeof(frame), 0) == sizeof(frame);
		at += NS_PER_SEC / rate;
		if (at + LONGEST_LATE < now(CLOCK_MONOTONIC))
			at = now(CLOCK_MONOTONIC);
		sleep_until(at);
	}
	json_open(&json, stdout);
	json_count(&json, "sent", sent);
	json_close(&json);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "read") == 0)
		return read_until_told(argv + 2);
	if (argc == 5 && strcmp(argv[1], "send") == 0)
		return send_evenly(argv + 2);
	return fail("read DEVICE TO_MS IMMEDIATE, or send INTERFACE RATE SECONDS", "expected");
}
