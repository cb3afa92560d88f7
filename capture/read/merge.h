/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* One stream out of many rings, by time stamp. */
#ifndef PCAP_AFXDP_MERGE_H
#define PCAP_AFXDP_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/ring/ring.h"

#define WINDOW_NS (50 * 1000) /* how long a record may take from stamp to publication: merge.c */

struct merge {
	struct ring_set *rings;
	struct ring *run;  /* the one that the run at hand is in */
	struct ring *last; /* the one with records to release */
	uint64_t until;	   /* of that run: its ring has the oldest records up to here */
	uint64_t now;	 /* CLOCK_REALTIME just before the heads were read; 0 with one live ring */
	unsigned live;	 /* rings that ever held a record */
	bool corrupted;	 /* a ring is: there are no more runs */
	bool crowded;	 /* the last look found a ring more than half full */
	uint64_t looked; /* CLOCK_MONOTONIC ns of the last look that found records */
	/* Whose programs want to know that somebody looks; NULL: none. */
	const struct ring_set *told;
	uint64_t told_at; /* ... and what they were told */
	bool held;	  /* the last answer was "none" because what there is is too young */
	/* For the exchange of filters, see filter_state.h. */
	uint32_t generation;   /* of the filter in the kernel; 0: it is not there, refine all */
	uint64_t settle_after; /* CLOCK_MONOTONIC ns: older programs have ended by then */
};

/* Write down for the programs that the reader has looked. */
void merge_tell(struct merge *m);
/* Read the heads. */
void merge_look(struct merge *m);
/* The next run, as afxdp_run(). Releases what merge_done() has said is done with. */
bool merge_run(struct merge *m, struct afxdp_run *run);
/* The same, of what was there at the last look. */
bool merge_run_seen(struct merge *m, struct afxdp_run *run);
/* Is there anything left of it, be it held back? */
bool merge_has_seen(const struct merge *m);
/* A record of the run at hand: epb_measure(). */
bool merge_measure(const struct merge *m, const struct epb_header *record, struct epb_lengths *l);
/* Of the run at hand: is this record the choice of the present filter, made in the kernel? */
bool merge_trusts(const struct merge *m, const struct epb_header *record, uint32_t caplen);
void merge_done(struct merge *m, const struct afxdp_run *run, const struct epb_header *next);

#endif
