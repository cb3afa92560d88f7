/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The filter of a capture, and how it is exchanged while records flow.
 *
 * The thread that sets a filter swaps it into the kernel. Then the reader adopts it between two
 * records. Every record has the generation of the filter that it matched, in 8 bits of its packet
 * id. After an adoption the reader delivers records of the current generation as they are, and
 * refines all others: it runs the current filter on them in user space. Two rules make 8 bits
 * enough: the reader always refines what lay in the rings at the previous adoption, and at most
 * FILTERS_UNADOPTED filters are swapped in between two adoptions. Once no older program can be
 * running, the reader need not look at the generation of new records.
 *
 * If the kernel cannot run the filter, the program records every frame (RING_TAKE_ALL), and the
 * reader refines all. If the kernel runs only the first rounds of a filter that jumps backward, the
 * program records frames that need more rounds whole, and the reader refines them.
 */
#pragma once

#include <pthread.h>

#include "capture/attach/program/image.h"
#include "capture/loader/loader.h"
#include "filter/filter.h"
#include "merge.h"
#include "refine.h"

struct filter_state {
	bool kernel_only;     /* frames are kept from the host: user space cannot filter */
	pthread_mutex_t lock; /* held while a filter is set; reading waits for it when it begins */
	struct ring_set *rings;
	const struct image *images;
	unsigned image_count;
	struct loader *loader;
	bool by_loader; /* the loader sets filters while it runs, because it may put the programs at
			   another hook */
	unsigned ifindex;
	enum filter_link link; /* the link type that filters are compiled for */
	bool tags_beside;      /* filters see VLAN tags beside the frame */
	bool kernel_sees_all;  /* otherwise the program leaves some frames to user space */
	uint32_t snaplen;      /* bytes to record of each frame */
	bool whole_frames;     /* until the first read: because a filter may come that needs whole
				  frames */
	bool at_once;  /* the programs do more than filter: swap them before filter_state_set()
			  returns */
	bool narrowed; /* the kernel runs the first rounds of the filter, user space the rest */
	bool resets;   /* swapping the program would reset the interface, so user space filters */
	/* About the first filter: why the programs could not be attached with it. 0: this was not
	 * tried. */
	int unfit;
	char *unfit_log;		  /* or NULL */
	struct sock_filter *unfit_filter; /* a copy, or NULL */
	unsigned unfit_n;
	bool unfit_for_good; /* trying again would take as long, with the same result */
	int back;	     /* the instruction that jumps backward, or -1 */
	bool unfinished;     /* the loader is still swapping; until it has, the program records all;
				atomic */
	uint32_t generation; /* of the last filter that was set: 1 to 255, then 1 again */
	unsigned unadopted;  /* number of filters set since the last adoption */
	enum afxdp_level level;
	char text[192]; /* afxdp_filter_text() */
	char *log;	/* afxdp_filter_log() */

	void *pending;		       /* struct filter_change for the reader to adopt; atomic */
	struct afxdp_matcher *current; /* the adopted filter, which belongs to the reader; NULL:
					  every frame matches */
};

/* rings must stay until filter_state_free(). */
void filter_state_init(struct filter_state *s, struct ring_set *rings, uint32_t snaplen,
		       bool whole_frames);
void filter_state_free(struct filter_state *s);
/* As afxdp_set_filter(). */
int filter_state_set(struct filter_state *s, const struct sock_filter *f, unsigned n, char *err,
		     size_t size);
/*
 * The programs were attached with this filter, at this level. log: why not at a better one, or
 * NULL; who: ", by the loader", or "". Returns 0; -ENOMEM; or -EINVAL: it is not a valid filter.
 */
int filter_state_know(struct filter_state *s, const struct sock_filter *f, unsigned n,
		      uint32_t generation, enum afxdp_level level, const char *log,
		      const char *who);
/*
 * The programs could not be attached with the first filter. error and log say why; the function
 * takes over log. by_loader: the loader tried, which can stop a load that takes long; then the
 * filter is not tried again, unless time or memory was short.
 */
void filter_state_refused(struct filter_state *s, int error, char *log, const struct sock_filter *f,
			  unsigned n, bool by_loader);
/* The reader calls this: adopt the pending filter, if there is one. */
void filter_state_adopt(struct filter_state *s, struct merge *m);
/* The reader calls this: see whether the loader has finished; with wait, wait until it has. */
void filter_state_settle(struct filter_state *s, struct merge *m, bool wait);
/* The reader calls this: reading begins, so frames need not be whole any more. Waits if a filter is
 * being set. */
void filter_state_begin(struct filter_state *s);
