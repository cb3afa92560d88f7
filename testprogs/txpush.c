/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sends trafgen's frames by pcap_inject(), one after the other without a pause: how many frames a
 * second does a device take?
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "rate.h"

enum { KEY_SIZE = RATE_KEY_OWN, KEY_TO, KEY_FLOWS, KEY_NONBLOCK };

/* Look at the clock once per so many frames. */
#define ROUND	64
#define WAIT_MS 1
#define GIVE_UP 10000 /* give up after so many waits in a row */
#define DST_MAC                                                                                    \
	{                                                                                          \
		0x02, 0x74, 0x67, 0, 0, 0x02                                                       \
	}

struct push_options {
	struct rate_options rate;
	uint32_t size;
	struct frame_spec spec;
};

struct push {
	const struct push_options *options;
	pcap_t *handle;
	struct rate rate;
	uint64_t seq;	  /* number of the next frame */
	uint64_t again;	  /* how often there was no room, so that it tried again */
	uint64_t dropped; /* dropped by the driver, and not sent again */
};

static const struct option_row rows[] = {
	RATE_ROWS("device to send on"),
	{KEY_SIZE, "size", "BYTES", "length of the frames (60)"},
	{KEY_TO, "to", "MAC", "where they are sent to (02:74:67:00:00:02)"},
	{KEY_FLOWS, "flows", "N", "so many flows in turn (1)"},
	{KEY_NONBLOCK, "nonblock", NULL,
	 "non-blocking mode; where there is no room, wait and try again"},
	{0},
};

static const struct program program = {
	"txpush",
	"-i DEV [OPTION]...",
	"Sends frames of trafgen's as fast as the device takes them, and reports the rate as JSON.\n"
	"Status 1: sending failed; 2: bad usage.",
	rows,
	false,
};

static void mac_arg(__u8 mac[6])
{
	char end;

	if (sscanf(optarg, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx%c", &mac[0], &mac[1], &mac[2], &mac[3],
		   &mac[4], &mac[5], &end) != 6)
		usage_error(&program, "--to takes six numbers with colons between, not `%s'",
			    optarg);
}

static void take_option(struct push_options *o, int key)
{
	switch (key) {
	case KEY_SIZE:
		o->size = number_arg(&program, "--size", FRAME_MIN, FRAME_MAX);
		break;
	case KEY_TO:
		mac_arg(o->spec.dst_mac);
		break;
	case KEY_FLOWS:
		o->spec.flows = number_arg(&program, "--flows", 1, FRAME_FLOWS_MAX);
		break;
	case KEY_NONBLOCK:
		o->rate.nonblock = true;
		break;
	default:
		rate_take_option(&o->rate, &program, key);
	}
}

static void read_options(struct push_options *o, int argc, char **argv)
{
	int key;

	*o = (struct push_options){.rate = {.devices_max = 1, .seconds = 10},
				   .size = FRAME_MIN,
				   .spec = {.dst_mac = DST_MAC,
					    .src_ip = htonl(0x0a630001),
					    .dst_ip = htonl(0x0a630002),
					    .flows = 1}};
	while ((key = options_next(&program, argc, argv)) != -1)
		take_option(o, key);
	rate_check_options(&o->rate, &program, argc);
}

/* Returns 0 if the frame was sent, or dropped by the driver and counted. */
static int send_one(struct push *p, const __u8 *frame)
{
	uint32_t size = p->options->size;

	for (int waits = 0; waits < GIVE_UP; waits++) {
		errno = 0;
		if (pcap_inject(p->handle, frame, size) == (int)size) {
			rate_add(&p->rate, size);
			return 0;
		}
		if (errno == ENOBUFS) {
			p->dropped++;
			return 0;
		}
		if (errno != EAGAIN)
			break;
		p->again++;
		poll(NULL, 0, WAIT_MS);
	}
	return -1;
}

static int send_round(struct push *p)
{
	const struct rate_options *o = &p->options->rate;
	__u8 frame[FRAME_MAX];

	for (int i = 0; i < ROUND && (!o->count || p->rate.frames < o->count); i++) {
		frame_build(frame, p->options->size, p->seq++, &p->options->spec);
		if (send_one(p, frame))
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct push_options o;
	struct push p = {.options = &o};
	struct json json;
	int status = 0;

	read_options(&o, argc, argv);
	p.handle = rate_open(program.name, &o.rate, 0);
	rate_begin(&p.rate, program.name, &o.rate);
	while (!status && rate_goes_on(&p.rate))
		status = send_round(&p);
	if (status)
		fprintf(stderr, "txpush: %s: %s\n", o.rate.devices[0], pcap_geterr(p.handle));
	rate_report(&p.rate, &json);
	json_count(&json, "size", o.size);
	json_count(&json, "again", p.again);
	json_count(&json, "dropped", p.dropped);
	json_close(&json);
	pcap_close(p.handle);
	return status ? 1 : 0;
}
