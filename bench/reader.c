/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Reads packets and does next to nothing with them, to show what the reading costs. Ends at SIGINT
 * and reports as JSON. With --fill it leaves the ring alone until SIGUSR1, then empties it and
 * tells what a frame took: reading by itself, without sleeping, waking and the producer beside it.
 */
#include "reader.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "testprogs/json.h"
#include "testprogs/options.h"

enum {
	KEY_VIA = 256,
	KEY_FILL,
	KEY_LATENCY,
	KEY_IMMEDIATE,
	KEY_TIMEOUT,
	KEY_FIRST,
	KEY_LOWPREC,
	KEY_PAUSE,
	KEY_EACH
};

static const struct option_row rows[] = {
	{'i', "interface", "DEV", "device to read from"},
	{KEY_VIA, "via", "pcap|xsk|ring", "pcap_dispatch (default), AF_XDP, or the library"},
	{'f', "filter", "EXPR", "capture filter (pcap)"},
	{'s', "snaplen", "BYTES", "bytes to keep of each frame"},
	{'B', "buffer", "BYTES", "size of the buffer"},
	{KEY_TIMEOUT, "timeout", "MS", "packet buffer timeout (100)"},
	{KEY_IMMEDIATE, "immediate", NULL, "immediate mode"},
	{KEY_LOWPREC, "lowprec", NULL, "time stamps of low precision (pcap, xsk)"},
	{KEY_LATENCY, "latency", NULL, "tell how late frames come, against their time stamps"},
	{KEY_FIRST, "first", NULL, "end after the first frame"},
	{KEY_EACH, "each", NULL,
	 "select for each packet and read that one, as dumpcap does (pcap)"},
	{KEY_PAUSE, "pause", "MS", "sleep so long after each read that brought frames"},
	{KEY_FILL, "fill", NULL, "read nothing before SIGUSR1; tell what emptying the ring took"},
	{0},
};

static const struct program program = {
	"reader",
	"-i DEV [OPTION]...",
	"Reads packets until SIGINT and reports as JSON what that cost.",
	rows,
	false,
};

struct plan {
	struct reader_options options;
	const struct reader_ops *ops;
	const char *via;
	bool fill, first;
	unsigned pause_ms;
};

static volatile sig_atomic_t interrupted, started;
static void (*volatile wake)(void);

static void on_signal(int signal)
{
	if (signal == SIGUSR1)
		started = 1;
	else
		interrupted = 1;
	if (interrupted && wake)
		wake();
}

uint64_t reader_now(int clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void reader_take_time(struct reader_tally *tally, uint64_t wall_ns)
{
	uint64_t now = reader_now(CLOCK_REALTIME), late = now > wall_ns ? now - wall_ns : 0;

	if (tally->timed < LATE_MOST)
		tally->late_ns[tally->timed++] = late;
}

static void via_arg(struct plan *plan)
{
	plan->via = optarg;
	if (!strcmp(optarg, "pcap"))
		plan->ops = &reader_pcap;
	else if (!strcmp(optarg, "xsk"))
		plan->ops = &reader_xsk;
	else if (!strcmp(optarg, "ring"))
		plan->ops = &reader_ring;
	else
		usage_error(&program, "--via takes pcap, xsk or ring, not `%s'", optarg);
}

static void take_option(struct plan *plan, int key)
{
	switch (key) {
	case 'i':
		plan->options.device = optarg;
		break;
	case 'f':
		plan->options.filter = optarg;
		break;
	case 's':
		plan->options.snaplen = number_arg(&program, "--snaplen", 1, 262144);
		break;
	case 'B':
		plan->options.buffer = number_arg(&program, "--buffer", 1, 1 << 30);
		break;
	case KEY_TIMEOUT:
		plan->options.timeout_ms = number_arg(&program, "--timeout", 1, 60000);
		break;
	case KEY_IMMEDIATE:
		plan->options.immediate = true;
		break;
	case KEY_LOWPREC:
		plan->options.lowprec = true;
		break;
	case KEY_LATENCY:
		plan->options.latency = true;
		break;
	case KEY_FIRST:
		plan->first = true;
		break;
	case KEY_EACH:
		plan->options.each = true;
		break;
	case KEY_PAUSE:
		plan->pause_ms = (unsigned)number_arg(&program, "--pause", 1, 10000);
		break;
	case KEY_FILL:
		plan->fill = true;
		break;
	default:
		via_arg(plan);
	}
}

static void read_options(struct plan *plan, int argc, char **argv)
{
	int key;

	*plan = (struct plan){.options = {.timeout_ms = 100}, .ops = &reader_pcap, .via = "pcap"};
	while ((key = options_next(&program, argc, argv)) != -1)
		take_option(plan, key);
	if (!plan->options.device)
		usage_error(&program, "-i DEV is missing");
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
}

/* The time of the reads alone, that of the last and empty one not counted. */
static uint64_t drain(const struct plan *plan, struct reader_tally *tally)
{
	uint64_t begun, ended;
	long got;

	while (!started && !interrupted)
		usleep(1000);
	begun = ended = reader_now(CLOCK_MONOTONIC);
	while (!interrupted && (got = plan->ops->read(tally)) > 0)
		ended = reader_now(CLOCK_MONOTONIC);
	return ended - begun;
}

static int read_on(const struct plan *plan, struct reader_tally *tally)
{
	long got = 0;

	while (!interrupted && got >= 0 && !(plan->first && tally->frames)) {
		got = plan->ops->read(tally);
		if (got > 0 && !tally->first_ns)
			tally->first_ns = reader_now(CLOCK_MONOTONIC);
		if (got > 0 && plan->pause_ms)
			usleep(plan->pause_ms * 1000);
	}
	return got < 0 ? -1 : 0;
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void report(const struct plan *plan, struct reader_tally *tally, uint64_t opened_ns,
		   uint64_t drain_ns)
{
	struct reader_stats stats = {0};
	struct json json;

	plan->ops->stats(&stats);
	json_open(&json, stdout);
	json_text(&json, "program", "reader");
	json_text(&json, "via", plan->via);
	json_count(&json, "frames", tally->frames);
	json_count(&json, "bytes", tally->bytes);
	json_count(&json, "received", stats.received);
	json_count(&json, "lost", stats.lost);
	json_count(&json, "dropped_interface", stats.interface);
	if (tally->first_ns)
		json_real(&json, "open_to_first_ms", (tally->first_ns - opened_ns) / 1e6, 3);
	if (plan->fill)
		json_real(&json, "drain_ns_per_frame",
			  tally->frames ? (double)drain_ns / tally->frames : 0, 2);
	if (tally->timed) {
		qsort(tally->late_ns, tally->timed, sizeof(*tally->late_ns), by_time);
		json_real(&json, "late_max_ms", tally->late_ns[tally->timed - 1] / 1e6, 3);
		json_real(&json, "late_median_ms", tally->late_ns[tally->timed / 2] / 1e6, 3);
	}
	json_close(&json);
}

int main(int argc, char **argv)
{
	static struct reader_tally tally;
	uint64_t opened_ns, drain_ns = 0;
	struct plan plan;
	int status = 0;

	read_options(&plan, argc, argv);
	catch_signals();
	opened_ns = reader_now(CLOCK_MONOTONIC);
	if (plan.ops->open(&plan.options))
		return 1;
	wake = plan.ops->wake;
	fprintf(stderr, "reader: ready\n");
	if (plan.fill)
		drain_ns = drain(&plan, &tally);
	else
		status = read_on(&plan, &tally);
	report(&plan, &tally, opened_ns, drain_ns);
	plan.ops->close();
	return status ? 1 : 0;
}
