/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives and throws away, by the pcap API: how many frames a second a device delivers. */
#include <getopt.h>
#include <stdio.h>

#include "options.h"
#include "rate.h"

enum { KEY_INTERVAL = 256, KEY_READY };

static const struct option_row rows[] = {
	{'i', "interface", "DEV", "device to receive on"},
	{'c', "count", "N", "end after N frames"},
	{'t', "time", "SECONDS", "end after this time (10)"},
	{'f', "filter", "EXPR", "capture filter"},
	{KEY_INTERVAL, "interval", "SECONDS", "tell the rate so often"},
	{KEY_READY, "ready", "FILE", "create FILE when receiving begins"},
	{0},
};

static const struct program program = {
	"rxdrop",
	"-i DEV [OPTION]...",
	"Receives and throws away, and reports the rate as JSON.",
	rows,
	false,
};

static void read_options(struct rate_options *o, int argc, char **argv)
{
	int key;

	*o = (struct rate_options){.seconds = 10};
	while ((key = options_next(&program, argc, argv)) != -1) {
		switch (key) {
		case 'i':
			o->devices[0] = optarg;
			break;
		case 'c':
			o->count = number_arg(&program, "--count", 1, INT64_MAX);
			break;
		case 't':
			o->seconds = real_arg(&program, "--time", 0.001, 3600);
			break;
		case 'f':
			o->filter = optarg;
			break;
		case KEY_INTERVAL:
			o->interval = real_arg(&program, "--interval", 0.01, 3600);
			break;
		case KEY_READY:
			o->ready_file = optarg;
			break;
		}
	}
	if (!o->devices[0] || optind < argc)
		usage_error(&program, "give one -i DEV, and options");
}

static void drop(u_char *user, const struct pcap_pkthdr *h, const u_char *frame)
{
	(void)frame;
	rate_add((struct rate *)(void *)user, h->len);
}

int main(int argc, char **argv)
{
	struct rate_options o;
	struct rate r;
	struct json json;
	pcap_t *p;
	int n = 0;

	read_options(&o, argc, argv);
	p = rate_open(program.name, &o, 0);
	rate_begin(&r, program.name, &o);
	while (n >= 0 && rate_goes_on(&r)) {
		uint64_t left = o.count - r.frames;

		n = pcap_dispatch(p, o.count && left < 4096 ? (int)left : 4096, drop, (u_char *)&r);
	}
	if (n < 0)
		fprintf(stderr, "rxdrop: %s: %s\n", o.devices[0], pcap_geterr(p));
	rate_report(&r, &json);
	rate_report_stats(&json, p);
	json_close(&json);
	pcap_close(p);
	return n < 0;
}
