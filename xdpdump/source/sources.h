/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Several sources as one. */
#pragma once

#include "source.h"

#define SOURCES_TOLD 8

struct sources {
	struct source *source;
	unsigned count;
	bool by_rings; /* each is read by readers of one ring, which afxdp_attend() wakes */
	bool stopped;
	unsigned leaving; /* that are lost and not yet released */
	uint64_t looked;  /* when namespaces were last looked for; CLOCK_MONOTONIC ns */
	int pipe; /* what is captured goes there: the sleep ends when its reader goes; -1: none */
	/* The last warnings, and a bit for each source that has said it since it was told. */
	struct {
		char text[AFXDP_ERROR_SIZE];
		uint64_t by;
	} told[SOURCES_TOLD];
	unsigned told_next;
};

/* Reading begins: from here on nothing is missed that engine=divert could have. */
void sources_begin(struct sources *s);
/* Of all of them at one moment, frames are recorded from here on. */
void sources_open_gate(const struct sources *s);
/*
 * The source with the oldest record, its run limited to what is older than the records of the
 * others; NULL: none has one that is ready.
 */
struct source *sources_next(struct sources *s);
/* n records of its run, up to next, were read. */
void sources_done(struct source *s, const struct epb_header *next, uint64_t n);
/*
 * As afxdp_wait(), or afxdp_attend() where rings are read by themselves, and -ENONET as
 * source_judge() has it. *which: the source an error is of, but for -EPIPE: the pipe has no reader.
 */
int sources_wait(struct sources *s, int timeout_ms, const struct source **which);
/*
 * Nothing more comes from one of them, for e, as source_judge() has it, which is told; nor from
 * others of the same interface. What they have is still read. Does the capture end: by stop, or as
 * it was the last one?
 */
bool sources_lose(struct sources *all, const struct source *s, int e, bool stop);
/* After that, once all was read, or does not come any more: source_release(). */
bool sources_may_release(struct source *s, uint64_t now);
void sources_release(struct sources *all, struct source *s);
/* Nothing more comes, of all of them from one moment on; again is allowed. */
void sources_stop(struct sources *s);
/* After that: is nothing left to read? */
bool sources_are_empty(struct sources *s);
/* As source_slow_filter(), of the first that has one. */
const char *sources_slow_filter(const struct sources *s);
/* Of source i; the sum of all. */
void sources_stats(const struct sources *s, struct afxdp_stats each[], struct afxdp_stats *sum);
void stats_add(struct afxdp_stats *sum, const struct afxdp_stats *more);
/* Those of now less those of before. */
void stats_subtract(struct afxdp_stats *now, const struct afxdp_stats *before);

/* Is there a file of addresses, ports or flows beside the filter? Have it read again, if so,
 * without waiting for that: sources_tell_change() says what is wrong. */
bool sources_have_files(const struct sources *s);
void sources_reload(struct sources *s);

/* Was something found out about the capture of one of them since it was opened? Say so, once, also
 * where others find out the same; of a copy: note it. */
void sources_tell_change(struct sources *all, struct source *s);
