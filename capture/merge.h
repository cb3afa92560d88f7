/* SPDX-License-Identifier: BSD-3-Clause */
/* One stream out of many rings, by time stamp. */
#ifndef PCAP_AFXDP_MERGE_H
#define PCAP_AFXDP_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "ring.h"

#define WINDOW_NS (50 * 1000) /* how long a record may take from stamp to publication: merge.c */

struct merge {
	struct ring_set *rings;
	struct ring *last; /* the one with records to release */
	uint64_t now;  /* CLOCK_REALTIME just before the heads were read; 0 with one live ring */
	unsigned live; /* rings that ever held a record */
	uint32_t
		generation; /* of the filter; rings that show it need no more refining; 0: all do */
	uint64_t settle_after; /* CLOCK_MONOTONIC ns: not to be believed before */
	bool held;	       /* the last answer was "none" because what there is is too young */
};

/* Read the heads. */
void merge_look(struct merge *m);
/* The next run, as capture_run(). Releases what merge_done() has said is done with. */
bool merge_run(struct merge *m, struct capture_run *run);
void merge_done(struct merge *m, const struct capture_run *run, const struct epb_header *next);

#endif
