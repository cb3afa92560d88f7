/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A small consumer on the plain pcap API. It verifies trafgen's frames as they come, and reports
 * what each call returned, so that a test can compare device names, or versions of libpcap.
 */
#include "pcapread.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testprogs/json.h"
#include "testprogs/options.h"

#define EXPLAIN_DEFAULT 5

enum {
	KEY_TIMEOUT = 256,
	KEY_IMMEDIATE,
	KEY_NONBLOCK,
	KEY_MODE,
	KEY_NANO,
	KEY_BUFFER,
	KEY_NO_PROMISC,
	KEY_BREAK_AFTER,
	KEY_BREAK_SIGNAL,
	KEY_SETFILTER,
	KEY_OTHER,
	KEY_IDLE,
	KEY_STALL,
	KEY_SLOW,
	KEY_READY,
	KEY_OPENS,
	KEY_RETRY,
	KEY_FORK,
	KEY_EXPLAIN,
	KEY_CHECK_SNAPLEN
};

static const struct option_row rows[] = {
	{'i', "interface", "DEV", "device to capture on"},
	{'c', "count", "N", "end after N frames"},
	{'t', "time", "SECONDS", "end after this time (10)"},
	{KEY_IDLE, "idle", "MS", "end when nothing came for so long after the first frame"},
	{'f', "filter", "EXPR", "capture filter; each frame is tried against it again"},
	{'s', "snaplen", "BYTES", "snapshot length; captured lengths are checked against it"},
	{KEY_MODE, "mode", "MODE", "dispatch (default), loop, next_ex or select"},
	{KEY_TIMEOUT, "timeout", "MS", "packet buffer timeout (100)"},
	{KEY_IMMEDIATE, "immediate", NULL, "immediate mode"},
	{KEY_NONBLOCK, "nonblock", NULL, "non-blocking mode"},
	{KEY_NANO, "nano", NULL, "time stamps in nanoseconds"},
	{'j', "tstamp-type", "NAME", "time stamp source"},
	{KEY_BUFFER, "buffer", "BYTES", "buffer size"},
	{KEY_NO_PROMISC, "no-promisc", NULL, "not promiscuous"},
	{'Q', "direction", "in|out|inout", "direction"},
	{KEY_FORK, "fork", NULL, "read in a child of the process that has opened, as daemons do"},
	{KEY_BREAK_AFTER, "break-after", "MS", "pcap_breakloop from a thread"},
	{KEY_BREAK_SIGNAL, "break-signal", "MS", "pcap_breakloop from a signal handler"},
	{KEY_SETFILTER, "setfilter-every", "N", "set the filter again after each N frames"},
	{KEY_OTHER, "other-filter", "EXPR", "change between -f and this one"},
	{KEY_STALL, "stall", "MS", "wait before the first read"},
	{KEY_SLOW, "slow", "US", "sleep after each frame"},
	{KEY_READY, "ready", "FILE", "create FILE when capturing has begun"},
	{KEY_OPENS, "opens", "N", "open and close so often before"},
	{KEY_RETRY, "retry", "N", "where pcap_activate fails, call it again after 50 ms, N times"},
	{KEY_EXPLAIN, "explain", "N", "tell up to N faults on standard error (5)"},
	{0},
};

static const struct program program = {
	"pcapread",
	"-i DEV [OPTION]...",
	"Captures through the pcap API, verifies trafgen's frames, and reports as JSON. Status 0: all is\n"
	"well (gaps are only counted), 1: a call failed or a frame is corrupt, twice or out of order.",
	rows,
	false,
};

static const char *const modes[] = {"dispatch", "loop", "next_ex", "select"};
static const char *const reasons[] = {"none", "count", "time", "idle", "break", "signal", "error"};

static enum read_mode mode_arg(void)
{
	for (int i = 0; i < 4; i++)
		if (!strcmp(optarg, modes[i]))
			return i;
	usage_error(&program, "--mode takes dispatch, loop, next_ex or select, not `%s'", optarg);
}

static const char *direction_arg(void)
{
	if (strcmp(optarg, "in") && strcmp(optarg, "out") && strcmp(optarg, "inout"))
		usage_error(&program, "--direction takes in, out or inout, not `%s'", optarg);
	return optarg;
}

static uint32_t ms_arg(const char *name)
{
	return number_arg(&program, name, 1, 3600000);
}

/* Options that end, delay or disturb the reading. */
static void course_option(struct read_options *options, int key)
{
	switch (key) {
	case KEY_IDLE:
		options->idle_ms = ms_arg("--idle");
		break;
	case KEY_BREAK_AFTER:
		options->break_after_ms = ms_arg("--break-after");
		break;
	case KEY_BREAK_SIGNAL:
		options->break_signal_ms = ms_arg("--break-signal");
		break;
	case KEY_SETFILTER:
		options->setfilter_every = number_arg(&program, "--setfilter-every", 1, UINT32_MAX);
		break;
	case KEY_OTHER:
		options->other_filter = optarg;
		break;
	case KEY_STALL:
		options->stall_ms = ms_arg("--stall");
		break;
	case KEY_SLOW:
		options->slow_us = number_arg(&program, "--slow", 1, 999999);
		break;
	case KEY_READY:
		options->ready_file = optarg;
		break;
	case KEY_OPENS:
		options->opens = number_arg(&program, "--opens", 0, 1000000);
		break;
	case KEY_RETRY:
		options->retries = number_arg(&program, "--retry", 0, 10000);
		break;
	case KEY_EXPLAIN:
		options->rules.explain = number_arg(&program, "--explain", 0, UINT32_MAX);
		break;
	}
}

/* Options that are handed to the pcap API. */
static void capture_option(struct read_options *options, int key)
{
	switch (key) {
	case KEY_TIMEOUT:
		options->timeout_ms = number_arg(&program, "--timeout", 0, 3600000);
		break;
	case KEY_FORK:
		options->fork = true;
		break;
	case KEY_IMMEDIATE:
		options->immediate = true;
		break;
	case KEY_NONBLOCK:
		options->nonblock = true;
		break;
	case KEY_NANO:
		options->nano = true;
		break;
	case KEY_BUFFER:
		options->buffer = number_arg(&program, "--buffer", 0, INT32_MAX);
		break;
	case KEY_NO_PROMISC:
		options->no_promisc = true;
		break;
	case 'Q':
		options->direction = direction_arg();
		break;
	case 'j':
		options->tstamp_type = optarg;
		break;
	default:
		course_option(options, key);
	}
}

static void take_option(struct read_options *options, int key)
{
	switch (key) {
	case 'i':
		options->device = optarg;
		break;
	case 'c':
		options->count = number_arg(&program, "--count", 1, INT64_MAX);
		break;
	case 't':
		options->seconds = real_arg(&program, "--time", 0.001, 3600);
		break;
	case 'f':
		options->filter = optarg;
		break;
	case 's':
		options->snaplen = number_arg(&program, "--snaplen", 0, INT32_MAX);
		options->rules.snaplen = options->snaplen;
		break;
	case KEY_MODE:
		options->mode = mode_arg();
		break;
	default:
		capture_option(options, key);
	}
}

static void read_options(struct read_options *options, int argc, char **argv)
{
	int key;

	*options = (struct read_options){
		.seconds = 10,
		.snaplen = -1,
		.timeout_ms = 100,
		.buffer = -1,
		.rules = {.explain = EXPLAIN_DEFAULT},
	};
	while ((key = options_next(&program, argc, argv)) != -1)
		take_option(options, key);
	if (!options->device)
		usage_error(&program, "-i DEV is missing");
	if (optind < argc)
		usage_error(&program, "`%s' is no option", argv[optind]);
	if (options->other_filter && !options->filter)
		usage_error(&program, "--other-filter needs -f");
}

static void report_calls(struct json *json, const struct reader *reader)
{
	json_group(json, "calls");
	for (int i = 0; i < reader->call_count; i++)
		json_int(json, reader->calls[i].name, reader->calls[i].status);
	json_group_end(json);
	json_text(json, "error", reader->error);
}

static void report_handle(struct json *json, struct reader *reader)
{
	const struct timeval *required;
	struct pcap_stat stat = {0};

	if (!reader->handle || reader->time_unit_ns == 0)
		return;
	reader_note(reader, "stats", pcap_stats(reader->handle, &stat));
	json_int(json, "linktype", pcap_datalink(reader->handle));
	json_int(json, "snapshot", pcap_snapshot(reader->handle));
	json_int(json, "tstamp_unit_ns", reader->time_unit_ns);
	json_int(json, "selectable_fd", pcap_get_selectable_fd(reader->handle));
	required = pcap_get_required_select_timeout(reader->handle);
	if (required)
		json_int(json, "required_select_timeout_us",
			 required->tv_sec * 1000000LL + required->tv_usec);
	json_count(json, "ps_recv", stat.ps_recv);
	json_count(json, "ps_drop", stat.ps_drop);
	json_count(json, "ps_ifdrop", stat.ps_ifdrop);
}

static double seconds_of(struct timeval time)
{
	return time.tv_sec + time.tv_usec / 1e6;
}

static void report_cost(struct json *json, const struct reader *reader, uint64_t start_ns)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	json_real(json, "seconds", (reader->ended_ns - start_ns) / 1e9, 6);
	json_real(json, "cpu_user", seconds_of(usage.ru_utime), 6);
	json_real(json, "cpu_system", seconds_of(usage.ru_stime), 6);
	json_count(json, "wakeups", reader->wakeups);
	json_count(json, "empty_wakeups", reader->empty_wakeups);
	if (reader->break_ns)
		json_real(json, "break_to_return_ms",
			  ((double)reader->ended_ns - reader->break_ns) / 1e6, 3);
}

static bool is_good(const struct reader *reader, const struct tally_counts *counts)
{
	return reader->end != END_ERROR && reader->end != END_NONE && !counts->corrupt &&
	       !counts->duplicates && !counts->reordered && !counts->short_captures &&
	       !reader->filter_mismatches;
}

static bool report(struct reader *reader, uint64_t start_ns)
{
	const struct tally_counts *counts = tally_counts(reader->tally);
	bool good = is_good(reader, counts);
	struct json json;

	json_open(&json, stdout);
	json_text(&json, "program", program.name);
	json_text(&json, "device", reader->options->device);
	json_text(&json, "mode", modes[reader->options->mode]);
	json_text(&json, "ended_by", reasons[reader->end]);
	json_count(&json, "received", reader->received);
	report_handle(&json, reader);
	tally_report(counts, &json);
	json_count(&json, "filter_changes", reader->filter_changes);
	json_count(&json, "filter_mismatches", reader->filter_mismatches);
	report_cost(&json, reader, start_ns);
	report_calls(&json, reader);
	held_report(&json, reader);
	json_bool(&json, "good", good);
	json_close(&json);
	return good;
}

static int create_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Goes on in a child: the process that was started waits, and passes the status on. */
static void become_child(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		return;
	if (child < 0 || waitpid(child, &status, 0) != child)
		_exit(2);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
}

static int capture(struct reader *reader)
{
	int err;

	if (reader_open(reader))
		return 0;
	if (reader->options->fork)
		become_child();
	err = reader_watch(reader);
	if (err)
		return err;
	if (reader->options->ready_file)
		err = create_file(reader->options->ready_file);
	if (!err)
		reader_read(reader);
	else
		reader->end = END_ERROR;
	reader_unwatch(reader);
	return err;
}

/* After so many openings, libraries have set up everything that they set up once. */
#define OPENS_WARM 10

static bool open_often(struct reader *reader, uint32_t times)
{
	int status = 0;

	for (uint32_t i = 0; i < times && !status; i++) {
		status = reader_open(reader);
		reader_close(reader);
		if (i + 1 == OPENS_WARM)
			held_measure(&reader->held_before);
	}
	held_measure(&reader->held_after);
	return !status;
}

int main(int argc, char **argv)
{
	struct read_options options;
	struct reader reader = {.options = &options};
	uint64_t start_ns;
	bool good;
	int err = 0;

	read_options(&options, argc, argv);
	reader.tally = tally_create(&options.rules);
	if (!reader.tally)
		usage_error(&program, "out of memory");
	start_ns = reader.ended_ns = reader_clock_ns();
	if (open_often(&reader, options.opens))
		err = capture(&reader);
	if (err)
		fprintf(stderr, "pcapread: %s\n", strerror(-err));
	good = report(&reader, start_ns);
	reader_close(&reader);
	tally_free(reader.tally);
	return !good;
}
