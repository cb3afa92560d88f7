/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Merges many rings into one stream, in the order of time stamps. Only the thread that reads calls
 * these functions. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/ring/ring.h"

#define WINDOW_NS (50 * 1000) /* longest time from stamp to publication: merge.c */

struct merge {
	struct ring_set *rings;
	struct ring *run;  /* the ring of the current run */
	struct ring *last; /* the ring whose records are to be released */
	uint64_t now;  /* CLOCK_REALTIME just before the heads were read; 0 if at most one ring is
			  live */
	unsigned live; /* number of rings that ever held a record */
	unsigned due; /* number of rings in rings->due[], a heap: those that had records at the last
			 look */
	bool corrupted;	 /* a ring is corrupted: there are no more runs */
	bool crowded;	 /* the last look found a ring more than half full */
	uint64_t looked; /* CLOCK_MONOTONIC ns of the last look that found records */
	/* Rings whose programs must know that somebody looks (watchdog=); NULL: none. */
	const struct ring_set *told;
	uint64_t told_at; /* the last value that was written there */
	bool held;	  /* there is no run, because all records are younger than the window */
	/* For the exchange of filters: see filter_state.h. */
	uint32_t generation;   /* of the filter in the kernel; 0: refine all */
	uint64_t settle_after; /* CLOCK_MONOTONIC ns by which all older programs have ended */
};

/* Tell the programs that the reader has looked, once a tick. */
void merge_tell(struct merge *m);
/* Look for new records: read the heads. */
void merge_look(struct merge *m);
/* The next run, as afxdp_run(). Releases the records that merge_done() was called for. */
bool merge_run(struct merge *m, struct afxdp_run *run);
/* The same, but only of records that were there at the last look. */
bool merge_run_seen(struct merge *m, struct afxdp_run *run);
/* Are records of the last look left, even if they are too young to deliver? */
bool merge_has_seen(const struct merge *m);
/* epb_measure() for a record of the current run. */
bool merge_measure(const struct merge *m, const struct epb_header *record, struct epb_lengths *l);
/* Did the current filter in the kernel match this record of the current run? */
bool merge_trusts(const struct merge *m, const struct epb_header *record, uint32_t caplen);
/* As afxdp_run_done(). */
void merge_done(struct merge *m, const struct afxdp_run *run, const struct epb_header *next);
