/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The filter of a capture and its exchange while records flow.
 *
 * A new filter is swapped into the kernel, then handed to the reader, who adopts it between two
 * records. Every record bears the generation of the filter that took it, 8 bits of its packet id.
 * After an adoption each record is looked at: one of the present generation is delivered, others
 * are refined, that is run through the present filter in user space. Two things keep 8 bits exact:
 * what lay in the rings at the adoption before is never trusted, and no more than FILTERS_UNADOPTED
 * filters are swapped in between two adoptions. Once no older program can be under way, what comes
 * behind the heads needs no more looking.
 *
 * If the kernel cannot run the filter it keeps every frame (RING_TAKE_ALL), and all are refined.
 * Where it runs the first rounds of one that jumps backward, what these leave is whole and refined.
 */
#ifndef PCAP_AFXDP_FILTER_STATE_H
#define PCAP_AFXDP_FILTER_STATE_H

#include <pthread.h>

#include "capture/attach/image.h"
#include "capture/loader/loader.h"
#include "filter/filter.h"
#include "merge.h"
#include "refine.h"

struct filter_state {
	bool kernel_only;     /* frames are kept from the host: nobody else may choose them */
	pthread_mutex_t lock; /* held while a filter is set; the reader never waits for it */
	struct ring_set *rings;
	const struct image *images;
	unsigned image_count;
	struct loader *loader;
	unsigned ifindex;
	enum filter_link link; /* that filters are compiled for */
	bool tags_beside;      /* the filter sees tags so */
	bool kernel_sees_all;  /* else it leaves some frames to user space */
	uint32_t snaplen;      /* asked for by the user */
	bool whole_frames;     /* until the first read: a filter may come that needs them */
	bool at_once;	       /* the programs do not only filter: none of before may go on */
	bool narrowed;	 /* the kernel runs the first rounds of the filter, and keeps all else */
	int back;	 /* where the filter jumps backward, or -1 */
	bool unfinished; /* the loader is still at it, and what was attached keeps all; atomic */
	uint32_t generation; /* of the last filter set, 1 to 255 and round again */
	unsigned unadopted;  /* filters set since the reader adopted one */
	enum afxdp_level level;
	char text[192]; /* afxdp_filter_text() */
	char *log;

	void *pending;		       /* struct filter_change for the reader to adopt; atomic */
	struct afxdp_matcher *current; /* the reader's */
};

void filter_state_init(struct filter_state *s, struct ring_set *rings, uint32_t snaplen,
		       bool whole_frames);
void filter_state_free(struct filter_state *s);
/* Tell the programs what to keep; called again when they were made anew. */
void filter_state_apply(struct filter_state *s);
/* As afxdp_set_filter(). */
int filter_state_set(struct filter_state *s, const struct sock_filter *f, unsigned n, char *err,
		     size_t size);
/* The reader: take over a change, if there is one. */
void filter_state_adopt(struct filter_state *s, struct merge *m);
/* The reader: has the loader finished? wait: until it has. */
void filter_state_settle(struct filter_state *s, struct merge *m, bool wait);
/* The reader: reading begins. */
void filter_state_begin(struct filter_state *s);

#endif
