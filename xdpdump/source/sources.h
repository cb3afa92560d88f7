/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Several sources, read as one. */
#pragma once

#include "source.h"

#define SOURCES_TOLD 8

struct sources {
	struct source *source;
	unsigned count;
	bool by_rings; /* readers of one ring read each source; afxdp_attend() wakes them */
	bool stopped;
	unsigned leaving; /* sources that are lost and not yet released */
	uint64_t looked;  /* when namespaces were last checked; CLOCK_MONOTONIC ns */
	int pipe;	  /* where packets go: the sleep ends if its reader closes it; -1: none */
	/* The last warnings, and a bit for each source that gave the warning since it was
	 * printed. */
	struct {
		char text[AFXDP_ERROR_SIZE];
		uint64_t by;
	} told[SOURCES_TOLD];
	unsigned told_next;
};

/* Reading begins: from now on a capture with engine=divert may keep frames from the host. */
void sources_begin(struct sources *s);
/* All sources begin to record frames at one moment. */
void sources_open_gate(const struct sources *s);
/* Returns the source with the oldest record. Its run is limited to records that are older than
 * those of the other sources. NULL: no source has a record that is ready. */
struct source *sources_next(struct sources *s);
/* The caller has read n records of the source's run, up to next. */
void sources_done(struct source *s, const struct epb_header *next, uint64_t n);
/* Sleep like afxdp_wait(); if rings are read one by one, also call afxdp_attend(). Returns what
 * these return; -ENONET: see source_judge(); -EPIPE: nobody reads the pipe. *which: the source of
 * an error other than -EPIPE. */
int sources_wait(struct sources *s, int timeout_ms, const struct source **which);
/* The capture of s has ended with e, an error of source_judge(), which is told to the user; other
 * sources of the same interface may end with it. Their records can still be read. Returns true if
 * the whole capture is to end: because of stop, or because this was the last source. */
bool sources_lose(struct sources *all, const struct source *s, int e, bool stop);
/* After that: was everything read, or does nothing more come? Then call sources_release(). */
bool sources_may_release(struct source *s, uint64_t now);
void sources_release(struct sources *all, struct source *s);
/* Stop all sources at one moment. May be called again. */
void sources_stop(struct sources *s);
/* After that: has everything been read? */
bool sources_are_empty(struct sources *s);
/* Returns source_slow_filter() of the first source that has one. */
const char *sources_slow_filter(const struct sources *s);
/* Get the statistics of each source, and their sum. */
void sources_stats(const struct sources *s, struct afxdp_stats each[], struct afxdp_stats *sum);
void stats_add(struct afxdp_stats *sum, const struct afxdp_stats *more);
/* Subtract the statistics before from *now. */
void stats_subtract(struct afxdp_stats *now, const struct afxdp_stats *before);

/* Do filters use a file of addresses, ports or flows? sources_reload() begins to read these files
 * again, without waiting for the end; sources_tell_change() tells what is wrong. */
bool sources_have_files(const struct sources *s);
void sources_reload(struct sources *s);

/* Was something found out about a capture since it was opened? Print it once, even if others find
 * out the same. A copy only notes it. */
void sources_tell_change(struct sources *all, struct source *s);
