/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Other programs that look after a capture: node_exporter by --metrics, who reads --stats-file, and
 * the service manager. Complains itself. Where none of them is, all calls are cheap and do nothing.
 */
#pragma once

#include "metrics.h"
#include "xdpdump/os/notify.h"

struct watchers {
	struct notify notify;
	struct metrics metrics;
	const char *stats_name;
	int stats;		 /* the descriptor of --stats-file; -1: none */
	uint64_t interval, due;	 /* of figures; CLOCK_MONOTONIC ns; due: UINT64_MAX: never */
	uint64_t beat_due;	 /* of signs of life, likewise */
	uint64_t captured, told; /* packets as of the last time, and when that was */
	bool said_metrics, said_stats, stops, begun;
};

/* What the environment says, while sockets may be made. */
void watchers_open(struct watchers *w, const struct options *o);
/* Before the capture's own files, and as who is to own these: can they be written? -errno. */
int watchers_open_files(struct watchers *w, const struct options *o);
void watchers_close(struct watchers *w);

/* The capture has begun. */
void watchers_begin(struct watchers *w, const struct status *st);
/* When the next of them is due; UINT64_MAX: never. */
uint64_t watchers_due(const struct watchers *w);
static inline bool watchers_are_due(const struct watchers *w, uint64_t now)
{
	return now >= w->due;
}
/* The figures. */
void watchers_tell(struct watchers *w, const struct status *st, uint64_t now);
/* Is it to be known whether the capture goes on? */
static inline bool watchers_want_beats(const struct watchers *w)
{
	return w->notify.watchdog != 0;
}
/* It went on at that time, last: the sign of life, if it is due, and that is not long ago. */
void watchers_beat(struct watchers *w, uint64_t advanced, uint64_t now);
/* The end has begun. Again is allowed. */
void watchers_stop(struct watchers *w);
/* The last figures. */
void watchers_end(struct watchers *w, const struct status *st);
