/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* From the rings to the files, until the end. Complains itself. */
#ifndef XDPDUMP_READER_H
#define XDPDUMP_READER_H

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>

#include "xdpdump/files/files.h"
#include "xdpdump/output/output.h"
#include "xdpdump/output/decode.h"
#include "reasons.h"
#include "report.h"
#include "xdpdump/files/rotation.h"
#include "xdpdump/files/sink.h"
#include "xdpdump/source/sources.h"
#include "trigger.h"
#include "watchers.h"

struct keylog;
struct feeds;

struct reader {
	const struct options *options;
	struct sources sources;
	struct output *output;
	bool cooked;	     /* struct output_context has it */
	struct files *files; /* NULL: to standard output */
	struct rotation rotation;
	struct trigger trigger;
	struct decode decode; /* where it runs, that is the target, or beside the file */
	struct sink decoded;  /* its pipe, which is not the sink's, in the latter case */
	struct progress progress;
	struct keylog *keylog;			/* of --tls-keylog */
	struct feeds *feeds;			/* NULL: there are none */
	struct watchers *watchers;		/* NULL: the owner of all readers has them */
	struct afxdp_stats before[SOURCES_MAX]; /* when the present file began */
	uint64_t begin_time, begin_packets, begin_bytes; /* likewise; CLOCK_REALTIME ns */
	uint64_t taken[SOURCES_MAX];	  /* packets of each that went to the output */
	uint64_t taken_sent[SOURCES_MAX]; /* of these, sent by the interface */
	struct reasons reasons;		  /* why those of them that are drops were dropped */
	uint64_t left;			  /* packets still wanted */
	uint64_t end_time;		  /* CLOCK_MONOTONIC ns, as all that follow: when to end */
	uint64_t give_up;     /* once the sources are stopped: what is left then is lost */
	uint64_t report_time; /* the next report of --stats-interval */
	uint64_t disk_time;   /* the next look at the disk */
	unsigned runs;
	uint64_t stop_time;   /* when the thread that waits for a reader first noticed the end */
	uint64_t no_room;     /* lost while there was no room for files, up to the last wait */
	uint64_t lost_before; /* when the present wait began */
	bool waits;	      /* such a wait is not over before all rings were empty once */
	bool said_no_room, said_not_read;
	struct patience patience;	 /* of our sinks */
	int error;			 /* of an interface */
	int told;			 /* the last error of writing that was reported */
	bool closed, done;		 /* closed: there is no present file */
	bool failed;			 /* to write its last words */
	sig_atomic_t rotations, flushes; /* done for signals_rotate and signals_flush */
	char last_name[PATH_MAX];	 /* at the end */
	/*
	 * One of several readers (per_queue.h): it is told when the programs were taken off, and
	 * takes packets out of what is left for all, if they are counted. NULL: there is no other.
	 */
	unsigned number; /* among them */
	const atomic_bool *stopped;
	_Atomic uint64_t *pool;
	struct {
		_Atomic uint64_t packets, sent, bytes, files, removed, removed_packets;
	} said; /* to the thread that reports of them all */
	/*
	 * Whether it goes on, where that is to be known: when it last looked at the rings while its
	 * output was not behind, or had come further. CLOCK_MONOTONIC ns.
	 */
	bool notes_advance;
	_Atomic uint64_t advanced;
	uint64_t arrived;			/* packets, by then */
	_Alignas(4) uint8_t record[RECORD_MAX]; /* a copy of one */
};

/* A file, standard output or text begins, as options say. -errno. */
int reader_open(struct reader *r);
/*
 * Does this failure mean that the reader of a pipe has all it wants and has gone? That is an end as
 * good as any other. reader_run() and reader_close() take it for one themselves.
 */
bool reader_is_left(const struct reader *r, int e);
/* Until the capture ends. -errno. */
int reader_run(struct reader *r);
/* The last words, after all was read. */
void reader_finish(struct reader *r);
/* After that, when files and their commands are done with. *st: how it was. -1: something failed. */
int reader_end(struct reader *r, struct status *st);
/* The same, and prints the closing statistics. */
int reader_close(struct reader *r);

#endif
