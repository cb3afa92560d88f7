/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A reader of a capture: of all rings as one stream, or one ring alone, in a thread of its own.
 * Both are a merge and a wait over a set of rings.
 *
 * A capture always has the reader of all rings. The bell and the interface are looked after by it,
 * also where readers of one ring do the reading: they are woken by afxdp_attend().
 */
#ifndef PCAP_AFXDP_READER_H
#define PCAP_AFXDP_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "filter_state.h"
#include "merge.h"
#include "capture/attach/nic_time.h"
#include "wait.h"

struct drop_names;
struct watch;
struct xsk_tx;

/* What the readers of one capture share. */
struct reading {
	struct ring_set rings;		     /* all of them */
	unsigned first;			     /* the first one that has records to read */
	struct filter_state filter;	     /* of all */
	struct afxdp_reader *alone;	     /* those of one ring */
	const struct drop_names *drop_names; /* records are of drops; else NULL */
	bool clock_is_tai;
	bool immediate;
	bool read_first;   /* nothing is received before the first read, */
	bool begun;	   /* ... which has begun */
	bool tells;	   /* the programs have to know when readers look */
	bool stopped;	   /* ... and nothing more comes */
	bool corrupted;	   /* a ring is, as one of the readers has seen */
	bool silent;	   /* nothing is recorded before afxdp_keep_newest(), */
	bool unread;	   /* ... with which rings keep the newest */
	uint32_t unwanted; /* afxdp_set_directions() */
};

struct afxdp_reader {
	struct reading *reading;
	struct afxdp_capture *capture; /* for statistics */
	struct merge merge;
	struct wait wait;
	struct nic_clock nic_clock;
	bool has_nic_time;
	uint64_t refused[SIDES]; /* records that the filter rejected here */
	/* Of the reader of all rings; NULL: the interface is not looked after here. */
	struct watch *watch;
	struct xsk_tx *tx; /* what the kernel could not send at once is tried again */
	uint64_t checked;  /* CLOCK_MONOTONIC ns of the last look at the interface */
	/* Of a reader of one ring. */
	struct afxdp_reader *next;
	struct ring_set one; /* its ring; empty: it reads all */
	unsigned number;     /* among the rings that have records to read */
	int cpu;	     /* -1: a socket */
};

/*
 * Of all rings, which are mapped; doorbell: its map, -1: there is none. -errno, and to be closed.
 */
int reading_open_all(struct afxdp_reader *r, struct reading *all, int doorbell);
/* Of one, by its number; the capture's clock is taken over. -errno, and to be closed. */
int reading_open_one(struct afxdp_reader *r, const struct afxdp_reader *all, unsigned number);
/* Again is allowed. */
void reading_close(struct afxdp_reader *r);
/* Nothing more comes, nor is anything kept from the host. */
void reading_stop(struct reading *all);
/* The reader is here: a filter that was set is its filter, and frames may be kept from the host. */
void reading_begin(struct afxdp_reader *r);
/* The ring of a reader of one; NULL: it reads all. */
struct ring *reading_ring(const struct afxdp_reader *r);

#endif
