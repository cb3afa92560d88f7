/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Counts received frames: which numbers came, intact or not, in which order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "json.h"

struct tally;

struct tally_counts {
	uint64_t frames;	 /* all frames received */
	uint64_t foreign;	 /* not from the generator */
	uint64_t unnumbered;	 /* from the generator, but cut before the sequence number */
	uint64_t delivered;	 /* intact as far as captured; each number counts once */
	uint64_t corrupt;	 /* torn, cut or overwritten */
	uint64_t duplicates;	 /* numbers that had come before */
	uint64_t reordered;	 /* came after a higher number */
	uint64_t flow_reordered; /* came after a higher number of the same flow */
	uint64_t time_backwards; /* time stamps earlier than the one before */
	uint64_t short_captures; /* captured length is not min(snaplen, length) */
	uint64_t strange_ports;	 /* destination port is not the one expected */
	uint64_t bytes;		 /* captured */
	uint64_t lowest;	 /* lowest number; lowest > highest: none came */
	uint64_t highest;
};

struct tally_rules {
	uint32_t snaplen;     /* 0: don't check captured lengths */
	uint16_t port;	      /* 0: any destination port will do */
	bool unordered;	      /* numbers may come in any order: do not explain that */
	unsigned int explain; /* how many faults to print on standard error */
};

struct frame_seen {
	const uint8_t *data;
	uint32_t caplen;
	uint32_t len;
	uint64_t ns; /* time stamp */
};

/* Returns NULL if there is no memory. */
struct tally *tally_create(const struct tally_rules *rules);
void tally_free(struct tally *tally);

/* Counts a frame. Memory: about one bit per number between the first and the last. Returns 0 or
 * -ENOMEM. */
int tally_frame(struct tally *tally, const struct frame_seen *frame);
const struct tally_counts *tally_counts(const struct tally *tally);

/* How many numbers between the lowest and the highest did not come? */
uint64_t tally_gaps(const struct tally_counts *counts);
void tally_report(const struct tally_counts *counts, struct json *json);
