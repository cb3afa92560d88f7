/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What is missing from a stream, by where it was lost. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kafka/get/streams.h"
#include "kafka/options.h"

/* Numbers of packets, except for sections and unknown. */
struct gap {
	uint64_t dropped;  /* dropped by the host, before any program read them */
	uint64_t behind;   /* lost because the program that sends was too slow, or not running */
	uint64_t lost;	   /* lost on the way to Kafka */
	uint64_t sections; /* sections that were sent or counted, but are not in the topic */
	uint64_t removed;  /* packets of those sections, as far as that is known */
	uint64_t unknown;  /* how many of those sections have an unknown number of packets */
};

void gap_add(struct gap *sum, const struct gap *g);
bool gap_is_none(const struct gap *g);
/* The sum of all missing packets. */
uint64_t gap_packets(const struct gap *g);
/*
 * What is missing before that piece, as far as it lies in the time that was asked for. What is
 * missing between two sections does if the time between them does.
 */
void gap_in_front(struct gap *g, const struct stream *s, size_t piece, const struct options *o);
/* The same for all pieces of the stream, and what is missing within them. */
void gap_of_stream(struct gap *g, const struct stream *s, const struct options *o);
/* "3 packets dropped by the host; ..." */
#define GAP_ROOM 320
const char *gap_text(const struct gap *g, char to[GAP_ROOM]);
