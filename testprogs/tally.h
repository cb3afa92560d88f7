/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The account of received frames: which numbers came, whole or not, in which order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "json.h"

struct tally;

struct tally_counts {
	uint64_t frames;	 /* all that was received */
	uint64_t foreign;	 /* not from the generator */
	uint64_t unnumbered;	 /* from the generator, cut before the sequence number */
	uint64_t delivered;	 /* whole as far as captured, counted once each */
	uint64_t corrupt;	 /* torn, cut or overwritten */
	uint64_t duplicates;	 /* numbers that came before */
	uint64_t reordered;	 /* after a higher number */
	uint64_t flow_reordered; /* after a higher number of the same flow */
	uint64_t time_backwards; /* time stamps before the preceding one */
	uint64_t short_captures; /* captured length is not min(snaplen, length) */
	uint64_t strange_ports;	 /* destination port is not the one expected */
	uint64_t bytes;		 /* captured */
	uint64_t lowest;	 /* number; lowest > highest: there was none */
	uint64_t highest;
};

struct tally_rules {
	uint32_t snaplen;     /* 0: don't check captured lengths */
	uint16_t port;	      /* 0: any destination port will do */
	bool unordered;	      /* numbers may come in any order: no fault to explain */
	unsigned int explain; /* print this many faults on standard error */
};

struct frame_seen {
	const uint8_t *data;
	uint32_t caplen;
	uint32_t len;
	uint64_t ns; /* time stamp */
};

/* NULL without memory. */
struct tally *tally_create(const struct tally_rules *rules);
void tally_free(struct tally *tally);

/* Takes about one bit per number between the first and the last. 0 or -ENOMEM. */
int tally_frame(struct tally *tally, const struct frame_seen *frame);
const struct tally_counts *tally_counts(const struct tally *tally);

/* Numbers between the lowest and the highest that did not come. */
uint64_t tally_gaps(const struct tally_counts *counts);
void tally_report(const struct tally_counts *counts, struct json *json);
