/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a stream lacks, by whoever lost it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kafka/get/streams.h"
#include "kafka/options.h"

/* Packets, but for sections. */
struct gap {
	uint64_t dropped;  /* by the host, before anybody read them */
	uint64_t behind;   /* while the program that sends was too slow, or not there */
	uint64_t lost;	   /* on the way to Kafka */
	uint64_t sections; /* that were sent or counted, and are not in the topic */
	uint64_t removed;  /* packets of these, as far as that is known */
	uint64_t unknown;  /* sections of these, of which it is not */
};

void gap_add(struct gap *sum, const struct gap *g);
bool gap_is_none(const struct gap *g);
/* Packets, all together. */
uint64_t gap_packets(const struct gap *g);
/*
 * In front of that piece, as far as it lies in the time that was asked for: what is missing between
 * two sections does where the time between them does.
 */
void gap_in_front(struct gap *g, const struct stream *s, size_t piece, const struct options *o);
/* Of all pieces, what they lack within them as well. */
void gap_of_stream(struct gap *g, const struct stream *s, const struct options *o);
/* "3 packets dropped by the host; ..." */
#define GAP_ROOM 320
const char *gap_text(const struct gap *g, char to[GAP_ROOM]);
