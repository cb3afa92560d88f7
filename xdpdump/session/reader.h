/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* From the rings to the files, until the end. Complains itself. */
#pragma once

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>

#include "xdpdump/files/files.h"
#include "xdpdump/output/drop_table.h"
#include "xdpdump/output/output.h"
#include "xdpdump/files/rotation.h"
#include "xdpdump/files/sink.h"
#include "xdpdump/source/sources.h"
#include "trigger.h"

struct status;

/* What of it all readers of rings add up to, while they read. */
struct tally {
	uint64_t packets, bytes; /* of the output */
	uint64_t taken, sent;	 /* that went there; sent by the interface */
	struct files_stats files;
};

struct reader {
	struct supervisor *supervisor;
	bool alone;	 /* it reads all rings, in the supervisor's thread */
	unsigned number; /* among several */
	const struct options *options;
	struct sources *sources;
	struct output *output;
	bool cooked;	     /* struct output_context has it */
	struct files *files; /* NULL: to standard output */
	struct rotation rotation;
	struct trigger trigger;
	struct sink decoded;   /* the pipe of --decode, where it runs beside a file */
	struct labels *labels; /* of --who; NULL: not asked for */
	struct feeds *feeds;   /* NULL: there are none */
	struct afxdp_stats before[SOURCES_MAX];		 /* when the present file began */
	uint64_t begin_time, begin_packets, begin_bytes; /* likewise; CLOCK_REALTIME ns */
	uint64_t taken[SOURCES_MAX];	  /* packets of each that went to the output */
	uint64_t taken_sent[SOURCES_MAX]; /* of these, sent by the interface */
	struct drop_table reasons;	  /* why those of them that are drops were dropped */
	uint64_t left;			  /* packets still wanted */
	_Atomic uint64_t *pool;		  /* packets that several still want; NULL: not counted */
	const atomic_bool *stopped;	  /* were the programs taken off? */
	uint64_t give_up;   /* once they are: what is left then is lost; CLOCK_MONOTONIC ns */
	uint64_t disk_time; /* the next look at the disk, likewise */
	unsigned runs;
	unsigned runs_paused; /* when the rings, no longer written, had last nothing to read ... */
	uint64_t paused;    /* ... after something had been, or the end began: CLOCK_MONOTONIC ns */
	uint64_t stop_time; /* when the thread that waits for a reader first noticed the end */
	uint64_t no_room;   /* lost while there was no room for files, up to the last wait */
	uint64_t lost_before; /* when the present wait began */
	bool waits;	      /* such a wait is not over before all rings were empty once */
	bool said_no_room, said_not_read;
	struct patience patience;	 /* of our sinks */
	int error;			 /* of what gets the packets */
	int told;			 /* the last error of writing that was reported */
	bool closed, done;		 /* closed: there is no present file */
	bool failed;			 /* to write its last words */
	sig_atomic_t rotations, flushes; /* done for signals_rotate and signals_flush */
	char last_name[PATH_MAX];	 /* as it was told last */
	/* Of one of several, to the thread that tells of them all: a struct tally. */
	_Atomic uint64_t said[sizeof(struct tally) / sizeof(uint64_t)];
	/*
	 * Whether it goes on, where that is to be known: when it last looked at the rings while its
	 * output was not behind, or had come further. CLOCK_MONOTONIC ns.
	 */
	_Atomic uint64_t advanced;
	uint64_t arrived;			/* packets, by then */
	_Alignas(4) uint8_t record[RECORD_MAX]; /* a copy of one */
};

/* A file, standard output or text begins, as options say. -errno. */
int reader_open(struct reader *r);
/*
 * Does this failure mean that the reader of a pipe has all it wants and has gone? That is an end as
 * good as any other. reader_run() and reader_finish() take it for one themselves.
 */
bool reader_is_left(int e);
/* Until the capture ends. -errno. */
int reader_run(struct reader *r);
/* The last words, after all was read. */
void reader_finish(struct reader *r);
/* After that, when files and their commands are done with. -1: something failed. */
int reader_end(struct reader *r);
/* Of what was not ended, too. */
void reader_free(struct reader *r);
/*
 * What was captured, into *st, where from is the number of its first source; runs: as of when it
 * said so last. Adds to what others have captured.
 */
void reader_add(struct reader *r, struct status *st, unsigned from, bool runs);
