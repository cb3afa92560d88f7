/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Who sees to a capture: signals, statistics, interfaces that are gone, the end. What is captured
 * is read by workers: by one, in the same thread, or with --files-per-queue by one for each ring,
 * which has a thread, a file, and with --to a stream of its own. Complains itself.
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

/* A reader, and where it is of one ring, the thread that it has. */
struct worker {
	struct reader reader;
	unsigned from; /* the number of the source that it reads, or of the first */
	int e;	       /* what it ended with */
	/* Of a ring. */
	struct options options; /* those of the user, with the name of this file */
	char name[PATH_MAX];
	struct source source; /* a copy with a reader of one ring; all else is not ours */
	struct sources sources;
	int cpu;	    /* of the ring; -1: it is that of a queue */
	unsigned number;    /* of CPU or queue */
	struct feeds feeds; /* of the thread, while it runs */
	pthread_t thread;
	bool runs, finished; /* finished: its file has its last words */
	atomic_bool ended;
};

struct supervisor {
	const struct options *options;
	struct source source[SOURCES_MAX];
	struct sources sources;
	struct watchers watchers;
	struct keylog keylog;
	struct feeds feeds; /* where options_feed() says so */
	struct decode decode;
	struct labels *labels; /* of --who; NULL: not asked for */
	bool cooked;	       /* struct output_context has it */
	/* As it is told at the end, and before that, too much for a stack: what ends may wait, and
	 * tell meanwhile. */
	struct status status, live;
	struct worker *worker;
	unsigned count;
	/* How the stream of each stands, as of the last look; NULL: there are none. */
	struct stream_status *stream;
	bool begun, ends;
	atomic_bool stopped[SOURCES_MAX]; /* those whose programs were taken off */
	_Atomic uint64_t left;		  /* packets that -c still wants of all rings */
	uint64_t end_time, report_time;	  /* CLOCK_MONOTONIC ns */
	struct progress progress;
	sig_atomic_t stops, rotations, flushes; /* workers were woken for these */
	sig_atomic_t reloads;			/* done for signals_rotate */
	int e;
};

/* The files begin. -errno; told, but for a pipe whose reader has gone. */
int supervisor_begin(struct supervisor *s);
/* Until the capture ends; prints the closing statistics. -1 or -errno: something failed. */
int supervisor_run(struct supervisor *s);
/* What clocks and signals ask for, also while a worker of all rings waits. now: CLOCK_MONOTONIC. */
void supervisor_attend(struct supervisor *s, uint64_t now);
/*
 * Until there may be something to read, or to attend to; ms: or as long as that, -1: longer. What
 * is lost ends here once all of it was read. -EPIPE: who reads what is captured has gone.
 */
int supervisor_sleep(struct supervisor *s, int ms);
/* Take the programs off. Workers still read what there is. Again is allowed. */
void supervisor_stop(struct supervisor *s);
