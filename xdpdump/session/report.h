/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What xdpdump prints on standard error: the live line, closing statistics. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "capture/afxdpcapture.h"
#include "xdpdump/feed/feeds.h"
#include "xdpdump/files/files.h"
#include "who/decide.h"

/* How the capture of one interface stands, or of a program on it; or of all together. */
struct source_status {
	const struct source *source; /* NULL: of all */
	uint64_t captured;	     /* packets that the output was given; of all: that are in it */
	uint64_t captured_sent;	     /* of these, sent by the interface */
	struct afxdp_stats stats;
	/* What is known of all alone: */
	uint64_t no_room;	 /* of the lost ones: as files waited for their commands */
	uint64_t before_trigger; /* not kept, as they came before it */
};

/* How the stream of a ring stands that goes into Kafka by itself. */
struct stream_status {
	const struct source *source;
	int cpu;	 /* -1: the ring is that of a queue */
	unsigned number; /* of CPU or queue */
	struct export_status to;
};

/* Packets left out by --process and --cgroup. */
struct left_out {
	bool chooses;	    /* one of these was given */
	uint64_t others;    /* of other processes */
	uint64_t in_kernel; /* likewise, before the copy */
	uint64_t unknown;   /* of which it is not known */
	uint64_t missed;    /* of those before the copy, at most: of who is wanted */
};

/* How the capture stands. */
struct status {
	uint64_t time;	/* CLOCK_REALTIME ns */
	bool ended;	/* nothing more is read */
	uint64_t bytes; /* of the output */
	struct files_stats files;
	struct feeds_status feeds;
	unsigned streams; /* 0: not by rings; the sum of these is in feeds */
	const struct stream_status *stream;
	bool waits; /* for the trigger; then these are in memory: */
	uint64_t held, held_bytes;
	const char *file;		  /* the one being written; NULL: none */
	uint64_t disk_left;		  /* bytes */
	const char *slow_filter;	  /* "in user space" and why; NULL: the kernel runs it */
	const struct drop_table *reasons; /* NULL: drops are not captured */
	const uint64_t *who;		  /* packets of each class; NULL: not asked for */
	struct left_out left_out;
	struct source_status all;
	bool several; /* interfaces: a line for each */
	unsigned sources;
	struct source_status source[SOURCES_MAX];
};

/* A line that is rewritten once a second, where standard error is a terminal. */
struct progress {
	uint64_t due;	  /* CLOCK_MONOTONIC ns; UINT64_MAX: never */
	uint64_t packets; /* as of the last time */
};

void progress_begin(struct progress *p);
void progress_show(struct progress *p, const struct status *st);
void progress_end(struct progress *p);

/* In mid-capture: one line, or one JSON object in a line. */
void report_status(const struct status *st, bool json);
/* How it stands, or with final went: an object in a line. schema.json.in has it. */
void report_json(FILE *to, const struct status *st, bool final);
/* At the end: a table, or a JSON object with "final": true. verbose: rows that are 0 as well. */
void report_end(const struct status *st, const struct options *o);
