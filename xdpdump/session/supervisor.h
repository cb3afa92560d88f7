/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The supervisor of a capture handles signals, statistics, interfaces that disappear, and the end.
 * Workers read the packets: one, in the same thread; or with --files-per-queue one for each ring,
 * which has its own thread, its own file, and with --to its own stream. These functions print their
 * own error messages.
 */
#pragma once

#include <pthread.h>

#include "xdpdump/feed/feeds.h"
#include "xdpdump/files/keylog.h"
#include "xdpdump/output/decode.h"
#include "xdpdump/source/sources.h"
#include "reader.h"
#include "report.h"
#include "watchers.h"

/* A reader; if it reads one ring, also the thread that it runs in. */
struct worker {
	struct reader reader;
	unsigned from; /* the number of the source that it reads, or of the first one */
	int e;	       /* -errno that it ended with, or 0 */
	/* The rest is for readers of one ring. */
	struct options options; /* the user's, but with the name of this file */
	char name[PATH_MAX];
	struct source source; /* a copy, which owns its reader of one ring and nothing else */
	struct sources sources;
	int cpu;	    /* the ring's CPU; -1: the ring is that of a queue */
	unsigned number;    /* of that CPU or queue */
	struct feeds feeds; /* used only by the thread while it runs */
	pthread_t thread;
	bool runs, finished; /* finished: its file has been ended */
	atomic_bool ended;
};

struct supervisor {
	const struct options *options;
	struct source source[SOURCES_MAX];
	struct sources sources;
	struct watchers watchers;
	struct keylog keylog;
	struct feeds feeds; /* if options_feed() */
	struct decode decode;
	struct labels *labels; /* for --who; NULL: it was not given */
	bool cooked;	       /* as in struct output_context */
	/* What is reported at the end, and while the capture runs. They are too large for a stack;
	 * and there are two because the end may have to wait, and reports while it does. */
	struct status status, live;
	struct worker *worker;
	unsigned count;
	/* The state of each worker's stream, as of the last look; NULL: there are none. */
	struct stream_status *stream;
	bool begun, ends;
	atomic_bool stopped[SOURCES_MAX]; /* the programs of this source were detached */
	_Atomic uint64_t left;		  /* packets that -c still wants from all rings together */
	uint64_t end_time, report_time;	  /* CLOCK_MONOTONIC ns */
	struct progress progress;
	sig_atomic_t stops, rotations, flushes; /* the signals that workers were woken for */
	sig_atomic_t reloads;			/* the value of signals_rotate that was handled */
	int e;
};

/* Begin the files. Returns 0, or -errno after telling why, unless reader_is_left(). */
int supervisor_begin(struct supervisor *s);
/* Run until the capture ends, and print the closing statistics. Returns 0, or -1 or -errno if
 * something failed. */
int supervisor_run(struct supervisor *s);
/* Handle what clocks and signals ask for, also while a worker of all rings waits. now:
 * CLOCK_MONOTONIC. */
void supervisor_attend(struct supervisor *s, uint64_t now);
/*
 * Sleep until there may be something to read or to handle, but at most ms milliseconds; -1: no such
 * limit. Sources that disappeared are closed here once they are read. Returns 0; -EPIPE: the reader
 * of the pipe that packets go to has closed it; or -errno of writing the statistics of such a
 * source.
 */
int supervisor_sleep(struct supervisor *s, int ms);
/* Detach the programs. Workers still read what the rings have. May be called again. */
void supervisor_stop(struct supervisor *s);
