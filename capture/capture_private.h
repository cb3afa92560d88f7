/* SPDX-License-Identifier: BSD-3-Clause */
/* What a capture consists of, for capture.c and part.c alone. */
#ifndef PCAP_AFXDP_CAPTURE_PRIVATE_H
#define PCAP_AFXDP_CAPTURE_PRIVATE_H

#include "capture.h"
#include "divert.h"
#include "filter_state.h"
#include "inject.h"
#include "loader.h"
#include "merge.h"
#include "nic_time.h"
#include "tap.h"
#include "wait.h"

struct capture {
	struct capture_options options;
	struct tap tap;
	struct program program; /* not loaded where the loader has opened the tap */
	struct ring_set rings;
	struct merge merge;
	struct divert divert;
	struct inject inject;
	char sockets[48]; /* what they are, for a user */
	struct wait wait;
	struct capture_part *parts; /* rings that have threads of their own */
	struct filter_state filter;
	struct loader loader;
	struct mnl_socket *asks;   /* after the interface, also when its namespace is not ours */
	const __u64 *lost_no_ring; /* the program's: of received and of sent frames; mapped */
	struct nic_clock nic_clock;
	uint64_t refused[SIDES]; /* records the refining filter rejected */
	uint64_t nic_dropped_before;
	uint64_t nic_dropped; /* since then, as of the last capture_stats(); for parts: atomic */
	uint32_t holder;      /* of the XDP hook when the capture was opened */
	uint64_t checked;     /* CLOCK_MONOTONIC ns of the last check */
	bool reading;	      /* the first read has begun */
	bool stopped;	      /* ... and capture_stop() was called */
};

/* The reader is here: a filter that was set is its filter, and frames may be kept from the host. */
void capture_begin_read(struct capture *c);
/* capture_refine() of who reads by this merge, and counts in *refused. */
uint32_t capture_keep(const struct capture *c, const struct merge *m, const struct epb_header *r,
		      uint64_t refused[SIDES]);
/* For statistics, in addition to what the rings have counted. */
void capture_count_refused(struct capture_stats *s, const uint64_t refused[SIDES]);
void capture_count_no_ring(struct capture_stats *s, const struct capture *c);

#endif
