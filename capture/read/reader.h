/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A reader of a capture: of all rings as one stream, or of one ring, in a thread of its own. Both
 * are a merge and a wait over a set of rings.
 *
 * A capture always has the reader of all rings. That one watches the bell and the interface, also
 * if readers of one ring do the reading: afxdp_attend() wakes them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "filter_state.h"
#include "merge.h"
#include "capture/attach/facts/nic_time.h"
#include "wait.h"

struct drop_names;
struct proof;
struct watch;
struct xsk_tx;

/* What the readers of one capture share. */
struct reading {
	struct ring_set rings;	       /* all of them */
	unsigned first;		       /* the first ring that readers of one ring read */
	struct filter_state filter;    /* of the capture */
	struct afxdp_reader *alone;    /* list: the readers of one ring */
	struct drop_names *drop_names; /* records are of drops; else NULL */
	bool clock_is_tai;
	bool immediate;
	bool read_first;   /* nothing is received before the first read */
	bool begun;	   /* reading has begun */
	bool tells;	   /* the programs need to know when readers look (watchdog=) */
	bool reduces;	   /* slice= or flow-cutoff= may have made a record shorter */
	bool stopped;	   /* nothing more comes */
	bool corrupted;	   /* a reader has seen a corrupted ring; atomic */
	bool silent;	   /* pre-trigger: before afxdp_keep_newest(), nothing is recorded */
	bool unread;	   /* pre-trigger: after it and before afxdp_take_over() */
	uint32_t unwanted; /* afxdp_set_directions(): EPB_FLAG_... to leave out */
};

struct afxdp_reader {
	struct reading *reading;
	struct afxdp_capture *capture; /* for its statistics */
	struct merge merge;
	struct wait wait;
	struct nic_clock nic_clock;
	bool has_nic_time;
	uint64_t
		refused[SIDES]; /* records that afxdp_refine() or afxdp_refuse() left out; atomic */
	uint64_t refused_truncated; /* of these, counted as truncated; atomic */
	struct afxdp_stats told; /* the most that afxdp_reader_stats() has said of each; atomic */
	bool woken;		 /* what afxdp_was_told() last said */
	struct proof *proof;	 /* there is no loader to look whether frames come; NULL: it does */
	/* Only the reader of all rings has these; else NULL. */
	struct watch *watch;  /* the interface */
	struct xsk_tx *tx;    /* frames that the kernel could not send at once: try again */
	uint64_t checked;     /* CLOCK_MONOTONIC ns of the last look at the interface */
	uint64_t seen[SIDES]; /* frames that the programs had been offered by then */
	bool stirred[SIDES];  /* ... and the interface counted some: maybe more than were offered */
	int end;	      /* -errno of a link that is no more; 0: all is well */
	/* Only a reader of one ring has these. */
	struct afxdp_reader *next; /* in reading.alone */
	struct ring_set one;	   /* its ring; empty: it reads all */
	struct ring_due due;	   /* of one */
	unsigned number;	   /* of afxdp_reader_open() */
	int cpu;		   /* -1: a socket */
};

/*
 * Open the reader of all rings, which are mapped. doorbell: descriptor of its map; -1: none. Call
 * reading_close() also after -errno.
 */
int reading_open_all(struct afxdp_reader *r, struct reading *all, int doorbell);
/* Open a reader of one ring, with a copy of the clock. Call reading_close() also after -errno. */
int reading_open_one(struct afxdp_reader *r, const struct afxdp_reader *all, unsigned number);
/* Close the wait, and leave the list. Again is allowed. */
void reading_close(struct afxdp_reader *r);
/* No more frames are kept from the host; nothing more comes. */
void reading_stop(struct reading *all);
/* The reader is here: adopt a filter that was set. From now on frames may be kept from the host. */
void reading_begin(struct afxdp_reader *r);
/* Count a record that user space leaves out. Its thread alone writes the counts, others ask for
 * them. */
void reading_refuse(struct afxdp_reader *r, const struct epb_header *record, uint32_t caplen);
/* Heed what the loader has said by the pipe. */
void reading_heed(struct afxdp_reader *r);
/* Without a loader: do frames come to the XDP program? */
void reading_prove(struct afxdp_reader *r);
/* Say it once, where frames have no room in front of them for sockets. */
void reading_tell_headroom(struct afxdp_reader *r);
/* The ring of a reader of one ring; NULL: it reads all. */
struct ring *reading_ring(const struct afxdp_reader *r);
