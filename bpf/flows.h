/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Flows whose frames are left out (not-flows=FILE, afxdp_flow_stop()), as the capture programs and
 * the library share them: tables in the map of sets.h, behind its two sets. A table has two halves,
 * of which one is in use; to replace all flows, the other half is written. In the half in use,
 * flows are added and marked as gone while programs look: each line keeps its flow for as long as
 * that half is in use.
 */
#pragma once

#include "sets.h"

/* Both directions are one flow: the lower end comes first. Addresses are as in sets.h. */
struct flows_key {
	__u64 address[2][2];
	__u32 ports; /* that of the first end in the upper half; 0: the protocol has none */
	__u32 protocol;
};

/* The first line of a half. It has the numbers of the first lines of its parts. */
struct flows_head {
	__u64 seed;
	__u32 front, front_words; /* bits that show for most flows that they are not in the table */
	__u32 table, table_lines; /* struct flows_line */
	__u32 room[10];
};

/* Puts the lower end first. */
static inline __attribute__((always_inline)) void flows_order(struct flows_key *k)
{
	__u64 high = k->address[0][0], low = k->address[0][1];
	__u32 ports = k->ports;

	if (high < k->address[1][0] ||
	    (high == k->address[1][0] &&
	     (low < k->address[1][1] || (low == k->address[1][1] && ports >> 16 <= (__u16)ports))))
		return;
	k->address[0][0] = k->address[1][0];
	k->address[0][1] = k->address[1][1];
	k->address[1][0] = high;
	k->address[1][1] = low;
	k->ports = ports << 16 | ports >> 16;
}

enum flows_state { FLOWS_FREE, FLOWS_STOPPED, FLOWS_GONE };

struct flows_line {
	struct flows_key key;
	__u32 state; /* enum flows_state; written after the key */
	__u32 room[5];
};
/* How many lines are searched. Each flow goes through the table in steps of its own, which grow by
 * one each time, so that it does not come back to the same line. */
#define FLOWS_PROBES 24u

static inline __attribute__((always_inline)) __u64 flows_hash(__u64 seed, const struct flows_key *k)
{
	__u64 rest = (__u64)k->ports << 32 | k->protocol;

	if (!(k->address[0][0] | k->address[1][0]) && k->address[0][1] >> 32 == SETS_IPV4 >> 32 &&
	    k->address[1][1] >> 32 == SETS_IPV4 >> 32)
		return sets_hash(seed, k->address[0][1] << 32 | (__u32)k->address[1][1], rest);
	seed = sets_hash(seed, k->address[0][0], k->address[0][1]);
	seed = sets_hash(seed, k->address[1][0], k->address[1][1]);
	return sets_hash(seed, rest, 0);
}

#define FLOWS_STEP(hash, lines) (1 + SETS_BELOW((hash) >> 32, (lines)-FLOWS_PROBES))
#define FLOWS_LINES_LEAST	(2 * FLOWS_PROBES)
