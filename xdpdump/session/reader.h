/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A reader moves records from the rings to the files until the capture ends. These functions print
 * their own error messages. */
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

/* What readers of one ring each report while they read, to be added up. */
struct tally {
	uint64_t packets, bytes; /* that the output has written */
	uint64_t taken, sent;	 /* packets given to the output; of these, sent by the interface */
	struct files_stats files;
};

struct reader {
	struct supervisor *supervisor;
	bool alone;	 /* it is the only one: it reads all rings, in the supervisor's thread */
	unsigned number; /* of this reader, if there are several */
	const struct options *options;
	struct sources *sources;
	struct output *output;
	bool cooked;	     /* as in struct output_context */
	struct files *files; /* NULL: to standard output */
	struct rotation rotation;
	struct trigger trigger;
	struct sink decoded;			/* the pipe to --decode, if there is also a file */
	struct labels *labels;			/* for --who; NULL: it was not given */
	struct feeds *feeds;			/* --listen and --to; NULL: neither was given */
	struct afxdp_stats before[SOURCES_MAX]; /* as of the present file's beginning */
	uint64_t begin_time, begin_packets, begin_bytes; /* likewise; CLOCK_REALTIME ns */
	uint64_t taken[SOURCES_MAX];	  /* packets of each source that went to the output */
	uint64_t taken_sent[SOURCES_MAX]; /* of these, sent by the interface */
	struct drop_table reasons;	  /* why the packets that are drops were dropped */
	uint64_t left;			  /* packets still wanted */
	_Atomic uint64_t *pool;		  /* packets still wanted, of all readers; NULL: no limit */
	const atomic_bool *stopped;	  /* have the programs been detached? */
	uint64_t give_up;   /* CLOCK_MONOTONIC ns when a stopped capture ends: what the rings still
			       have is lost */
	uint64_t disk_time; /* when to look at the disk next, likewise */
	unsigned runs;
	unsigned runs_paused; /* .runs when stopped rings last had nothing to read ... */
	uint64_t paused;      /* ... and the time, or when the end began: CLOCK_MONOTONIC ns */
	uint64_t stop_time;   /* when this thread, waiting for a pipe's reader, saw the end */
	uint64_t no_room;     /* packets lost while files had no room, until the last wait */
	uint64_t lost_before; /* packets lost before the present wait */
	bool waits;	      /* files had no room, and the rings have not all been empty since */
	bool said_no_room, said_not_read;
	struct patience patience; /* for our sinks */
	int error;		  /* -errno: feeds have ended, and nothing else gets the packets */
	int told;		  /* the last write error that was reported */
	bool closed, done;	  /* closed: there is no present file */
	bool failed;		  /* to end its file */
	sig_atomic_t rotations, flushes; /* as of the last look at the signals */
	char last_name[PATH_MAX];	 /* the file name in struct status */
	/* A struct tally from one of several readers, for the thread that reports on all of
	 * them. */
	_Atomic uint64_t said[sizeof(struct tally) / sizeof(uint64_t)];
	/* When the reader last made progress, if a service manager wants to know: when it looked at
	 * the rings and its output was not behind, or had written more. CLOCK_MONOTONIC ns. */
	_Atomic uint64_t advanced;
	uint64_t arrived;			/* packets written by then */
	_Alignas(4) uint8_t record[RECORD_MAX]; /* a copy of one record */
};

/* Open the output that the options ask for: a file, standard output or text. Returns 0 or
 * -errno. */
int reader_open(struct reader *r);
/* Does this error mean that the reader of a pipe has closed it? Then the capture ends without an
 * error. reader_run() and reader_finish() handle it that way themselves. */
bool reader_is_left(int e);
/* Read until the capture ends. Returns 0 or -errno. */
int reader_run(struct reader *r);
/* End the present file, after everything was read. */
void reader_finish(struct reader *r);
/* After that: wait until the files and their commands are finished. Returns 0, or -1 if something
 * failed. */
int reader_end(struct reader *r);
/* May be called without reader_finish() and reader_end(). */
void reader_free(struct reader *r);
/* Add to *st what this reader has captured; from is the number of its first source in *st. runs:
 * the thread of the reader is still running, so take the numbers that it reported last. */
void reader_add(struct reader *r, struct status *st, unsigned from, bool runs);
