/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Other programs that watch a capture: node_exporter (--metrics), readers of --stats-file, and the
 * service manager. These functions print their own error messages. If there are no such programs,
 * they do nothing and cost little. */
#pragma once

#include "metrics.h"
#include "xdpdump/os/notify.h"

struct watchers {
	struct notify notify;
	struct metrics metrics;
	const char *stats_name;
	int stats;		 /* the descriptor of --stats-file; -1: none */
	uint64_t interval, due;	 /* of reports, in ns; due: CLOCK_MONOTONIC, UINT64_MAX: never */
	uint64_t beat_due;	 /* when the next sign of life is due, likewise */
	uint64_t captured, told; /* packets as of the last status message, and its time */
	bool said_metrics, said_stats, stops, begun;
};

/* Read the environment, and open what messages to the service manager need. Call it while sockets
 * may still be created. */
void watchers_open(struct watchers *w, const struct options *o);
/* Call it before the capture's own files are opened, and as the user who is to own the files: opens
 * them, or tries whether they can be written. Returns 0 or -errno. */
int watchers_open_files(struct watchers *w, const struct options *o);
void watchers_close(struct watchers *w);

/* The capture has begun. */
void watchers_begin(struct watchers *w, const struct status *st);
/* When the next report is due; UINT64_MAX: never. */
uint64_t watchers_due(const struct watchers *w);
static inline bool watchers_are_due(const struct watchers *w, uint64_t now)
{
	return now >= w->due;
}
/* Report the state of the capture to all of these programs. */
void watchers_tell(struct watchers *w, const struct status *st, uint64_t now);
/* Does the service manager want to know whether the capture makes progress? */
static inline bool watchers_want_beats(const struct watchers *w)
{
	return w->notify.watchdog != 0;
}
/* The capture last made progress at the time advanced. Sends a sign of life if one is due and that
 * time is not long ago. */
void watchers_beat(struct watchers *w, uint64_t advanced, uint64_t now);
/* The capture begins to end. May be called again. */
void watchers_stop(struct watchers *w);
/* Report for the last time. */
void watchers_end(struct watchers *w, const struct status *st);
