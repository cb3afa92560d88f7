/* SPDX-License-Identifier: BSD-3-Clause */
/* What xdpdump tells its user on standard error: complaints, the live line, closing statistics. */
#ifndef XDPDUMP_REPORT_H
#define XDPDUMP_REPORT_H

#include <stdbool.h>
#include <stdint.h>

struct capture_stats;

/* One sentence, after "xdpdump: ". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line that is rewritten once a second, where standard error is a terminal. */
struct progress {
	bool on;
	uint64_t due;	  /* CLOCK_MONOTONIC ns */
	uint64_t packets; /* as of the last time */
};

void progress_begin(struct progress *p);
bool progress_is_due(const struct progress *p);
/* Milliseconds until it is due; -1: never. */
int progress_due_in(const struct progress *p);
void progress_show(struct progress *p, uint64_t packets, uint64_t bytes,
		   const struct capture_stats *s);
void progress_end(struct progress *p);

/* Frames that passed the filter, lost ones included. */
uint64_t stats_received(const struct capture_stats *s);
/* captured: packets that are in the output. verbose: rows that are 0 as well. */
void report_statistics(const struct capture_stats *s, uint64_t captured, bool verbose);

#endif
