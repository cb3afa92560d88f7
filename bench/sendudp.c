/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sends UDP datagrams through the whole stack, as fast as one CPU can: traffic that leaves by the
 * interface, for capture in the transmit direction. (A packet socket of trafgen's goes past the
 * hooks.) Reports as JSON, in trafgen's words.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "testprogs/json.h"
#include "testprogs/options.h"

#define BATCH	64
#define STRETCH 64 /* calls that are timed together */
#define HEADERS 42 /* Ethernet, IPv4, UDP */
#define PORT	9

static const struct option_row rows[] = {
	{'a', "address", "IP", "destination; it must have somebody at UDP port 9"},
	{'s', "size", "BYTES", "frame size without FCS (64)"},
	{'d', "duration", "SECONDS", "end after this time (1)"},
	{'c', "cpu", "N", "run on this CPU (0)"},
	{0},
};

static const struct program program = {
	"sendudp",
	"-a IP [OPTION]...",
	"Sends UDP datagrams and reports as JSON what that cost.",
	rows,
	false,
};

struct plan {
	struct sockaddr_in to;
	uint32_t size, cpu;
	double seconds;
};

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void take_option(struct plan *plan, int key)
{
	switch (key) {
	case 'a':
		if (inet_pton(AF_INET, optarg, &plan->to.sin_addr) != 1)
			usage_error(&program, "--address takes an IPv4 address, not `%s'", optarg);
		break;
	case 's':
		plan->size = number_arg(&program, "--size", HEADERS + 8, 9000);
		break;
	case 'd':
		plan->seconds = real_arg(&program, "--duration", 0.001, 3600);
		break;
	default:
		plan->cpu = number_arg(&program, "--cpu", 0, CPU_SETSIZE - 1);
	}
}

static void read_options(struct plan *plan, int argc, char **argv)
{
	int key;

	*plan = (struct plan){.to = {.sin_family = AF_INET, .sin_port = htons(PORT)},
			      .size = 64,
			      .seconds = 1};
	while ((key = options_next(&program, argc, argv)) != -1)
		take_option(plan, key);
	if (!plan->to.sin_addr.s_addr)
		usage_error(&program, "-a IP is missing");
}

static int open_socket(const struct plan *plan)
{
	cpu_set_t set;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	CPU_ZERO(&set);
	CPU_SET(plan->cpu, &set);
	if (fd >= 0 && !sched_setaffinity(0, sizeof(set), &set) &&
	    !connect(fd, (const struct sockaddr *)&plan->to, sizeof(plan->to)))
		return fd;
	fprintf(stderr, "sendudp: %s\n", strerror(errno));
	return -1;
}

/* What it sent, and the seconds of the fastest STRETCH calls in a row; 0: there were fewer. */
static uint64_t send_until(int fd, const struct plan *plan, double end, double *fastest)
{
	static char payload[9000];
	struct iovec part = {payload, plan->size - HEADERS};
	struct mmsghdr messages[BATCH] = {0};
	uint64_t sent = 0, calls = 0;
	double begun = now(CLOCK_MONOTONIC), at = begun;

	*fastest = 0;
	for (int i = 0; i < BATCH; i++)
		messages[i].msg_hdr = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1};
	for (; at < end; at = now(CLOCK_MONOTONIC)) {
		int n;

		if (calls && calls % STRETCH == 0) {
			if (begun > 0 && (*fastest == 0 || at - begun < *fastest))
				*fastest = at - begun;
			begun = at;
		}
		n = sendmmsg(fd, messages, BATCH, 0);
		if (n != BATCH) /* refused: not to be compared */
			begun = 0;
		calls++;
		if (n > 0)
			sent += (uint64_t)n;
	}
	return sent;
}

int main(int argc, char **argv)
{
	double begun, cpu, fastest;
	struct json json;
	struct plan plan;
	uint64_t sent;
	int fd;

	read_options(&plan, argc, argv);
	fd = open_socket(&plan);
	if (fd < 0)
		return 1;
	begun = now(CLOCK_MONOTONIC);
	cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	sent = send_until(fd, &plan, begun + plan.seconds, &fastest);
	cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	begun = now(CLOCK_MONOTONIC) - begun;
	json_open(&json, stdout);
	json_text(&json, "program", program.name);
	json_count(&json, "generated", sent);
	json_count(&json, "sent", sent);
	json_count(&json, "matched", 0);
	json_count(&json, "refused", 0);
	json_real(&json, "active_seconds", begun, 6);
	json_real(&json, "cpu_seconds", cpu, 6);
	if (fastest > 0)
		json_real(&json, "fastest_ns_per_packet", fastest * 1e9 / (STRETCH * BATCH), 1);
	json_close(&json);
	return 0;
}
