/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What xdpdump prints on standard error: the live line, and the closing statistics. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "capture/afxdpcapture.h"
#include "xdpdump/feed/feeds.h"
#include "xdpdump/files/files.h"
#include "who/decide.h"

/* The state of the capture of one interface, or of a program on it; or of all together. */
struct source_status {
	const struct source *source; /* NULL: of all */
	uint64_t captured;	/* packets given to the output; of all sources: written by it */
	uint64_t captured_sent; /* of these, sent by the interface */
	struct afxdp_stats stats;
	/* Known only for all sources together: */
	uint64_t no_room;	 /* of the lost packets: lost while files waited for commands */
	uint64_t before_trigger; /* packets not kept because they came before the trigger */
};

/* The state of the stream that one ring sends to Kafka. */
struct stream_status {
	const struct source *source;
	int cpu;	 /* -1: the ring is that of a queue */
	unsigned number; /* of that CPU or queue */
	struct export_status to;
};

/* Packets left out by --process and --cgroup. */
struct left_out {
	bool chooses;	    /* one of these options was given */
	uint64_t others;    /* packets of other processes */
	uint64_t in_kernel; /* likewise, left out before they were copied */
	uint64_t unknown;   /* packets whose process is not known */
	uint64_t missed;    /* of those in_kernel, at most this many were of a wanted process */
};

/* The state of the capture. */
struct status {
	uint64_t time;	/* CLOCK_REALTIME ns */
	bool ended;	/* nothing more is read */
	uint64_t bytes; /* written by the output */
	struct files_stats files;
	struct feeds_status feeds;
	unsigned streams; /* one for each ring; 0: the rings share one. feeds has their sum */
	const struct stream_status *stream;
	bool waits; /* for the trigger; until then these are in memory: */
	uint64_t held, held_bytes;
	const char *file;		  /* the one being written; NULL: none */
	uint64_t disk_left;		  /* bytes */
	const char *slow_filter;	  /* "in user space" and the reason; NULL: it is not */
	const struct drop_table *reasons; /* NULL: drops are not captured */
	const uint64_t *who;		  /* packets of each class; NULL: without --who */
	struct left_out left_out;
	struct source_status all;
	bool several; /* several interfaces: report each on a line */
	unsigned sources;
	struct source_status source[SOURCES_MAX];
};

/* A line that is rewritten every second if standard error is a terminal. */
struct progress {
	uint64_t due;	  /* CLOCK_MONOTONIC ns; UINT64_MAX: never */
	uint64_t packets; /* captured when it was last shown */
};

void progress_begin(struct progress *p);
void progress_show(struct progress *p, const struct status *st);
void progress_end(struct progress *p);

/* While the capture runs: one line of text, or a JSON object on one line. */
void report_status(const struct status *st, bool json);
/* Print the state as a JSON object on one line; final: the capture has ended. schema.json.in
 * describes it. */
void report_json(FILE *to, const struct status *st, bool final);
/* At the end: a table, or a JSON object with "final": true. With o->verbose the table has more
 * rows, and also those that are 0. */
void report_end(const struct status *st, const struct options *o);
