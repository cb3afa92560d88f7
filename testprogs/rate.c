/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "rate.h"
#include "testprogs/no_error.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SNAPLEN 65535

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void add_device(struct rate_options *o, const struct program *program)
{
	unsigned n = 0;

	while (n < o->devices_max && o->devices[n])
		n++;
	if (n == o->devices_max)
		usage_error(program, "-i takes %s", n == 1 ? "one device" : "one device or two");
	o->devices[n] = optarg;
}

void rate_take_option(struct rate_options *o, const struct program *program, int key)
{
	switch (key) {
	case 'i':
		add_device(o, program);
		break;
	case 'c':
		o->count = number_arg(program, "--count", 1, INT64_MAX);
		break;
	case 't':
		o->seconds = real_arg(program, "--time", 0.001, 3600);
		break;
	case 'f':
		o->filter = optarg;
		break;
	case RATE_KEY_INTERVAL:
		o->interval = real_arg(program, "--interval", 0.01, 3600);
		break;
	case RATE_KEY_READY:
		o->ready_file = optarg;
		break;
	}
}

void rate_check_options(const struct rate_options *o, const struct program *program, int argc)
{
	if (!o->devices[0] || optind < argc)
		usage_error(program, "give %s -i DEV, and options",
			    o->devices_max == 1 ? "one" : "one or two");
}

void rate_read_options(struct rate_options *o, const struct program *program, int argc, char **argv)
{
	int key;

	while ((key = options_next(program, argc, argv)) != -1)
		rate_take_option(o, program, key);
	rate_check_options(o, program, argc);
}

static void give_up(const char *program, const char *device, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s: %s\n", program, device, what, why);
	exit(1);
}

static void set_filter(const char *program, const char *device, pcap_t *p, const char *text)
{
	struct bpf_program filter;

	if (pcap_compile(p, &filter, text, 1, PCAP_NETMASK_UNKNOWN) || pcap_setfilter(p, &filter))
		give_up(program, device, "filter", pcap_geterr(p));
	pcap_freecode(&filter);
}

pcap_t *rate_open(const char *program, const struct rate_options *o, int i)
{
	const char *device = o->devices[i];
	char error[PCAP_ERRBUF_SIZE] = "";
	pcap_t *p = pcap_create(device, error);
	int status;

	if (!p)
		give_up(program, device, "create", error);
	no_error(pcap_set_snaplen(p, SNAPLEN));
	no_error(pcap_set_promisc(p, 1));
	no_error(pcap_set_timeout(p, RATE_TIMEOUT_MS));
	status = pcap_activate(p);
	if (status < 0)
		give_up(program, device, pcap_statustostr(status), pcap_geterr(p));
	if (pcap_setdirection(p, PCAP_D_IN))
		give_up(program, device, "direction", pcap_geterr(p));
	if (o->filter)
		set_filter(program, device, p, o->filter);
	if (o->nonblock && pcap_setnonblock(p, 1, error))
		give_up(program, device, "nonblock", error);
	return p;
}

void rate_begin(struct rate *r, const char *program, const struct rate_options *o)
{
	struct sigaction action = {.sa_handler = stop};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	*r = (struct rate){.options = o, .program = program};
	r->begun_ns = r->reported_ns = now_ns();
}

static void create_ready_file(const struct rate *r)
{
	const char *path = r->options->ready_file;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0)
		give_up(r->program, path, "open", strerror(errno));
	close(fd);
}

static void tell(struct rate *r, uint64_t now)
{
	struct json json;

	json_open(&json, stdout);
	json_text(&json, "program", r->program);
	json_real(&json, "second", (now - r->begun_ns) / 1e9, 3);
	json_real(&json, "pps", (r->frames - r->reported_frames) * 1e9 / (now - r->reported_ns), 0);
	json_close(&json);
	r->reported_ns = now;
	r->reported_frames = r->frames;
}

bool rate_goes_on(struct rate *r)
{
	const struct rate_options *o = r->options;
	uint64_t now;

	/* Create the ready file after the first read, because that is when engine=divert begins. */
	if (r->rounds++ == 1 && o->ready_file)
		create_ready_file(r);
	if (stopped || (o->count && r->frames >= o->count))
		return false;
	now = now_ns();
	if (o->interval > 0 && now - r->reported_ns >= o->interval * 1e9)
		tell(r, now);
	return now - r->begun_ns < o->seconds * 1e9;
}

void rate_report(struct rate *r, struct json *json)
{
	double seconds = (now_ns() - r->begun_ns) / 1e9;

	json_open(json, stdout);
	json_text(json, "program", r->program);
	json_text(json, "device", r->options->devices[0]);
	if (r->options->devices[1])
		json_text(json, "other_device", r->options->devices[1]);
	json_count(json, "frames", r->frames);
	json_count(json, "bytes", r->bytes);
	json_real(json, "seconds", seconds, 6);
	json_real(json, "pps", seconds > 0 ? r->frames / seconds : 0, 0);
	json_real(json, "mbps", seconds > 0 ? r->bytes * 8 / seconds / 1e6 : 0, 1);
}

void rate_report_stats(struct json *json, pcap_t *handle)
{
	struct pcap_stat s = {0};

	if (pcap_stats(handle, &s))
		return;
	json_count(json, "ps_recv", s.ps_recv);
	json_count(json, "ps_drop", s.ps_drop);
	json_count(json, "ps_ifdrop", s.ps_ifdrop);
}
