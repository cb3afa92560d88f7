/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The filter of a capture and its exchange while records flow.
 *
 * A new filter is swapped into the kernel, then handed to the reader. Records of before are told
 * from those of after by the filter's number, its generation, which the program writes to its ring
 * before any record: once the reader sees the new number there, all records behind that head are
 * the new filter's. What lies before is refined: run through the new filter in user space. Where
 * the kernel cannot run the filter it takes everything (RING_TAKE_ALL), and all is refined.
 */
#ifndef PCAP_AFXDP_FILTER_STATE_H
#define PCAP_AFXDP_FILTER_STATE_H

#include <pthread.h>

#include "image.h"
#include "loader.h"
#include "merge.h"
#include "refine.h"

struct filter_state {
	pthread_mutex_t lock; /* held while a filter is set; the reader never waits for it */
	struct ring_set *rings;
	const struct image *images;
	unsigned image_count;
	struct loader *loader;
	unsigned ifindex;
	uint32_t snaplen;    /* asked for by the user */
	bool whole_frames;   /* until the first read: a filter may come that needs them */
	uint32_t generation; /* of the last filter set */
	enum capture_rung rung;
	char text[192]; /* capture_filter_text() */
	char *log;

	void *pending;		/* struct filter_change for the reader to adopt; atomic */
	struct refine *current; /* the reader's */
};

void filter_state_init(struct filter_state *s, struct ring_set *rings, uint32_t snaplen,
		       bool whole_frames);
void filter_state_free(struct filter_state *s);
/* Tell the programs what to keep; called again when they were made anew. */
void filter_state_apply(struct filter_state *s);
/* As capture_set_filter(). */
int filter_state_set(struct filter_state *s, const struct sock_filter *f, unsigned n, char *err,
		     size_t size);
/* The reader: take over a change, if there is one. */
void filter_state_adopt(struct filter_state *s, struct merge *m);
/* The reader: reading begins. */
void filter_state_begin(struct filter_state *s);

#endif
