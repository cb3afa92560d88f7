/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A reader of a capture: of all rings as one stream, or of one ring, in a thread of its own. Both
 * are a merge and a wait over a set of rings.
 *
 * A capture always has the reader of all rings. It watches the bell and the interface, even if
 * readers of one ring do the reading: afxdp_attend() wakes them.
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
	unsigned first;		       /* the first of the rings that readers of one ring read */
	struct filter_state filter;    /* the capture's filter */
	struct afxdp_reader *alone;    /* list of the readers of one ring */
	struct drop_names *drop_names; /* if records are of drops; else NULL */
	bool clock_is_tai;
	bool immediate;
	bool read_first;   /* no frame is received before the first read */
	bool begun;	   /* reading has begun */
	bool tells;	   /* the programs must know when readers look (watchdog=) */
	bool reduces;	   /* slice= or flow-cutoff= may have shortened a record */
	bool stopped;	   /* no more records come */
	bool corrupted;	   /* a reader has found a corrupted ring; atomic */
	bool silent;	   /* pre-trigger: before afxdp_keep_newest(), when nothing is recorded */
	bool unread;	   /* pre-trigger: between that and afxdp_take_over() */
	uint32_t unwanted; /* from afxdp_set_directions(): EPB_FLAG_... to leave out */
};

struct afxdp_reader {
	struct reading *reading;
	struct afxdp_capture *capture; /* for its statistics */
	struct merge merge;
	struct wait wait;
	struct nic_clock nic_clock;
	bool has_nic_time;
	uint64_t refused[SIDES];    /* records that afxdp_refine() or afxdp_refuse() has left out;
				       atomic */
	uint64_t refused_truncated; /* how many of these count as truncated; atomic */
	struct afxdp_stats told;    /* the most that afxdp_reader_stats() returned; atomic */
	bool woken;		    /* what afxdp_was_told() has last returned */
	struct proof *proof;	    /* checks whether frames come, if no loader does; else NULL */
	/* Only the reader of all rings has these; else NULL. */
	struct watch *watch;  /* the interface */
	struct xsk_tx *tx;    /* frames that the kernel could not send at once, to be tried again */
	uint64_t checked;     /* CLOCK_MONOTONIC ns of the last check of the interface */
	uint64_t seen[SIDES]; /* number of frames that had been offered to the programs by then */
	bool stirred[SIDES]; /* ... and the interface had counted some: maybe more than were offered
			      */
	int end;	     /* -errno once a link is gone; 0: all is well */
	/* Only a reader of one ring has these. */
	struct afxdp_reader *next; /* in reading.alone */
	struct ring_set one;	   /* its ring; empty: the reader reads all rings */
	struct ring_due due;	   /* of one */
	unsigned number;	   /* as in afxdp_reader_open() */
	int cpu;		   /* -1: it reads a socket */
};

/*
 * Open the reader of all rings, which are mapped. doorbell: descriptor of its map; -1: none.
 * Returns 0 or -errno; call reading_close() in either case.
 */
int reading_open_all(struct afxdp_reader *r, struct reading *all, int doorbell);
/* Open a reader of one ring, with a copy of the clock. Returns 0 or -errno; call reading_close() in
 * either case. */
int reading_open_one(struct afxdp_reader *r, const struct afxdp_reader *all, unsigned number);
/* Close the wait, and remove the reader from the list. May be called again. */
void reading_close(struct afxdp_reader *r);
/* No more frames are kept from the host, and no more records come. */
void reading_stop(struct reading *all);
/* Reading begins: adopt a filter that was set. From now on frames may be kept from the host. */
void reading_begin(struct afxdp_reader *r);
/* Count a record that user space leaves out. Only the reader's thread writes the counts; other
 * threads read them. */
void reading_refuse(struct afxdp_reader *r, const struct epb_header *record, uint32_t caplen);
/* Act on what the loader has said by the pipe. */
void reading_heed(struct afxdp_reader *r);
/* If there is no loader: check whether frames come to the XDP program. */
void reading_prove(struct afxdp_reader *r);
/* Tell the user, once, if frames have no room in front of them for sockets. */
void reading_tell_headroom(struct afxdp_reader *r);
/* The ring of a reader of one ring; NULL: the reader reads all. */
struct ring *reading_ring(const struct afxdp_reader *r);
