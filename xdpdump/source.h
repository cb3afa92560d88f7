/* SPDX-License-Identifier: BSD-3-Clause */
/* Where records come from: an interface with its capture. Complains itself where something fails.
 */
#ifndef XDPDUMP_SOURCE_H
#define XDPDUMP_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture.h"
#include "expression.h"
#include "interfaces.h"
#include "options.h"
#include "programs.h"
#include "targets.h"

struct refine;

struct source {
	struct capture_options engine;
	const char *netns; /* NULL: ours */
	struct interface interface;
	struct expression filter;
	struct refine *trigger; /* what --trigger waits for; NULL: nothing */
	struct capture *capture;
	struct capture_part *part; /* one ring of it, which is all that is read; NULL: all rings */
	uint64_t read; /* records that were taken out of the rings, refused ones included */
	int node;      /* of NUMA; -1: not known, or there is but one */
	char place[SIDES][512];		   /* where it captures, in words; empty: not there */
	char programs[PROGRAMS_TEXT_SIZE]; /* in the XDP hook before us; empty: none */
	bool has_run;
	struct capture_run run; /* where has_run says so: the records to read next */
};

/*
 * interface: of those in the options. The filter is compiled as for Ethernet. -errno.
 */
int source_parse(struct source *s, const struct options *o, unsigned interface);
/* After that: it is not at the hook, but in a program. It shares memory for rings. -errno. */
int source_trace(struct source *s, const struct options *o, const struct target *t,
		 unsigned sharers);
/* "entry" or "exit", of received frames. */
const char *source_place(const struct source *s);
/*
 * *next: the number of the first interface block that is not in use; goes beyond those that the
 * source gets. -errno; to be closed in any case.
 */
int source_open(struct source *s, const struct options *o, uint32_t *next);
void source_close(struct source *s);

/*
 * Let nothing more come: take the programs off the interface, and wait until none of them is still
 * at work on a frame. What they counted as matched and did not lose is then in the rings.
 */
void source_stop(struct source *s);
/* After source_stop(): were all records read? */
bool source_is_empty(struct source *s);

/* Once it is open: does it capture on this side? Then it has an interface block for it. */
static inline bool source_has(const struct source *s, enum side side)
{
	return s->place[side][0] != 0;
}

/* Where it captures, in words: on one side, or on all by SIDES. */
#define SOURCE_DESCRIPTION_SIZE 1536
void source_describe(const struct source *s, enum side side, char *text, size_t size);

/* What is read, the whole or a part of it. */
static inline bool source_run(struct source *s)
{
	return s->part ? capture_part_run(s->part, &s->run) : capture_run(s->capture, &s->run);
}

static inline void source_run_done(struct source *s, const struct epb_header *next)
{
	if (s->part)
		capture_part_run_done(s->part, &s->run, next);
	else
		capture_run_done(s->capture, &s->run, next);
}

static inline uint32_t source_refine(const struct source *s, const struct epb_header *r)
{
	return s->part ? capture_part_refine(s->part, r) : capture_refine(s->capture, r);
}

static inline uint64_t source_time(const struct source *s, const struct epb_header *r)
{
	return s->part ? capture_part_time(s->part, r) : capture_time(s->capture, r);
}

static inline int source_wait(struct source *s, int timeout_ms)
{
	return s->part ? capture_part_wait(s->part, timeout_ms)
		       : capture_wait(s->capture, timeout_ms);
}

static inline void source_stats(const struct source *s, struct capture_stats *stats)
{
	if (s->part)
		capture_part_stats(s->part, stats);
	else
		capture_stats(s->capture, stats);
}

#endif
