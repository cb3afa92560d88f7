/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What rxdrop, txpush and l2fwd share: opening a device by the pcap API, and printing rates as
 * JSON. */
#pragma once

#include <pcap/pcap.h>
#include <stdbool.h>
#include <stdint.h>

#include "json.h"
#include "options.h"

/* A frame waits at most this long for others, and a program sleeps at most this long for a
 * frame. */
#define RATE_TIMEOUT_MS 50

/* Option rows for all three, and for those that receive. */
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
	uint64_t count;			 /* end after so many frames; 0: no limit */
	double seconds;			 /* end after so many */
	double interval;		 /* seconds between lines with the rate; 0: no such lines */
	bool nonblock;
};

struct rate {
	const struct rate_options *options;
	const char *program;
	uint64_t begun_ns, reported_ns, reported_frames;
	uint64_t frames, bytes;
	uint64_t rounds;
};

/* Takes one of these options. */
void rate_take_option(struct rate_options *o, const struct program *program, int key);
/* Reads a command line that has only these options. */
void rate_read_options(struct rate_options *o, const struct program *program, int argc,
		       char **argv);
/* Call this after the last option: checks that no words are left and that a device was given. */
void rate_check_options(const struct rate_options *o, const struct program *program, int argc);
/* Opens devices[i] to receive only incoming frames. On failure prints why and ends the program. */
pcap_t *rate_open(const char *program, const struct rate_options *o, int i);
/* Call this when all is open: starts the clock. */
void rate_begin(struct rate *r, const char *program, const struct rate_options *o);
/*
 * Call this before each round: should the program go on? Prints the rate when an interval is over;
 * creates the ready file after the first round.
 */
bool rate_goes_on(struct rate *r);
static inline void rate_add(struct rate *r, uint32_t length)
{
	r->frames++;
	r->bytes += length;
}
/* Begins the report with what all three have; the caller adds its own members and closes it. */
void rate_report(struct rate *r, struct json *json);
/* Adds pcap_stats() of one device. */
void rate_report_stats(struct json *json, pcap_t *handle);
