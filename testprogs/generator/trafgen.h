/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What trafgen's BPF program and its loader agree on. 64-bit members are aligned, because on i386
 * the loader would align them to 4 bytes only.
 */
#pragma once

#include <linux/types.h>

#define TRAFGEN_CLASSES	     3
#define TRAFGEN_HEADER_WORDS 6

/* The mix, by seq % TRAFGEN_MIX_PERIOD: 7 small frames, 4 middle ones, 1 large. */
#define TRAFGEN_MIX_PERIOD 12
#define TRAFGEN_MIX_SMALL  7
#define TRAFGEN_MIX_MIDDLE 11

/* One frame size: the start of its frames, and the sum of the IP header's words except two: the
 * checksum, and the half of the source address that differs from flow to flow. */
struct trafgen_class {
	__aligned_u64 header[TRAFGEN_HEADER_WORDS];
	__u32 len;
	__u32 ip_sum;
};

struct trafgen_config {
	struct trafgen_class classes[TRAFGEN_CLASSES + 1]; /* a power of two, for the verifier */
	__aligned_u64 group_ns; /* time from one group of frames to the next; 0: flat out */
	__u32 group;		/* frames in a group, sent as one batch */
	__u32 mix;		/* sizes follow the mix; 0: all frames are of class 0 */
	__u32 flows;
	__u32 match_every;
	__be16 match_port;
};

/* Written by the program, which one CPU at a time runs. */
struct trafgen_state {
	__aligned_u64 seq; /* of the next frame; the loader sets it at first */
	__u64 bytes;
	__u64 waited_ns; /* spent waiting for the next group's time */
	__u64 late_ns;	 /* not made up for: groups were more than TRAFGEN_LATE_NS behind */
	__u64 next_ns;	 /* when the next group is due */
	__u64 first_ns;	 /* start of the first group and of the last one, CLOCK_MONOTONIC */
	__u64 last_ns;
	__u64 last_seq;		  /* first of the last group */
	__u64 stretch_ns;	  /* start of a stretch, minus all time waited before */
	__u64 fastest_stretch_ns; /* duration of the fastest, without waits; 0: none is over */
	__u32 stretch_groups;	  /* groups that have begun in this stretch */
	__u32 left;		  /* frames left of the group that is being sent */
};

/*
 * Groups in a stretch, which takes some milliseconds. Neighbours on the host take time from some
 * stretches, but seldom from all: so the fastest shows what a frame costs.
 */
#define TRAFGEN_STRETCH_GROUPS 64

/*
 * A generator that was held up for longer than this goes on from now, instead of catching up in a
 * burst.
 */
#define TRAFGEN_LATE_NS 10000000ULL
