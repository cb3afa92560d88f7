/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What rxdrop, txpush and l2fwd share: a device opened by the pcap API, and rates as JSON. */
#pragma once

#include <pcap/pcap.h>
#include <stdbool.h>
#include <stdint.h>

#include "json.h"
#include "options.h"

/* A frame waits no longer for others, and a program sleeps no longer for one. */
#define RATE_TIMEOUT_MS 50

/* Options of all three, and of those that receive: rows for their tables. */
enum { RATE_KEY_INTERVAL = 256, RATE_KEY_READY, RATE_KEY_OWN };
#define RATE_ROWS(device)                                                                          \
	{'i', "interface", "DEV", device}, {'c', "count", "N", "end after N frames"},              \
		{'t', "time", "SECONDS", "end after this time (10)"},                              \
	{                                                                                          \
		RATE_KEY_INTERVAL, "interval", "SECONDS", "tell the rate so often"                 \
	}
#define RATE_RECEIVE_ROWS(filter)                                                                  \
	{'f', "filter", "EXPR", filter},                                                           \
	{                                                                                          \
		RATE_KEY_READY, "ready", "FILE", "create FILE when receiving begins"               \
	}

struct rate_options {
	const char *devices[2];
	unsigned devices_max;
	const char *filter, *ready_file; /* NULL: none */
	uint64_t count;			 /* frames to end after; 0: no limit */
	double seconds;			 /* to end after */
	double interval;		 /* between lines that tell the rate; 0: none */
	bool nonblock;
};

struct rate {
	const struct rate_options *options;
	const char *program;
	uint64_t begun_ns, reported_ns, reported_frames;
	uint64_t frames, bytes;
	uint64_t rounds;
};

/* One of these options. */
void rate_take_option(struct rate_options *o, const struct program *program, int key);
/* A command line of nothing else. */
void rate_read_options(struct rate_options *o, const struct program *program, int argc,
		       char **argv);
/* After the last option: there is nothing left, and a device was given. */
void rate_check_options(const struct rate_options *o, const struct program *program, int argc);
/* Open devices[i], receiving only what comes in; on failure says why and ends the program. */
pcap_t *rate_open(const char *program, const struct rate_options *o, int i);
/* All is open: the clock starts. */
void rate_begin(struct rate *r, const char *program, const struct rate_options *o);
/*
 * Before each round: is it time to go on? Tells the rate when an interval is over; after the first
 * round creates the ready file.
 */
bool rate_goes_on(struct rate *r);
static inline void rate_add(struct rate *r, uint32_t length)
{
	r->frames++;
	r->bytes += length;
}
/* Opens the report with what all three have; the caller adds its own and closes it. */
void rate_report(struct rate *r, struct json *json);
/* pcap_stats() of one device. */
void rate_report_stats(struct json *json, pcap_t *handle);
