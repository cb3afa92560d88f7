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
#include "targets.h"

struct refine;

struct source {
	struct capture_options engine;
	const char *netns; /* NULL: ours */
	struct interface interface;
	struct expression filter;
	struct refine *trigger; /* what --trigger waits for; NULL: nothing */
	struct capture *capture;
	uint64_t read;	 /* records that were taken out of the rings, refused ones included */
	char place[512]; /* where it captures, in words */
	bool has_run;
	struct capture_run run; /* where has_run says so: the records to read next */
};

/*
 * interface: of those in the options; number: of the interface block in the file. The filter is
 * compiled as for Ethernet. -errno.
 */
int source_parse(struct source *s, const struct options *o, unsigned interface, uint32_t number);
/* After that: it is not at the hook, but in a program. It shares memory for rings. -errno. */
int source_trace(struct source *s, const struct options *o, const struct target *t,
		 unsigned sharers);
/* "entry" or "exit", of received frames. */
const char *source_place(const struct source *s);
/* -errno; to be closed in any case. */
int source_open(struct source *s, const struct options *o);
void source_close(struct source *s);

/*
 * Let nothing more come: take the programs off the interface, and wait until none of them is still
 * at work on a frame. What they counted as matched and did not lose is then in the rings.
 */
void source_stop(struct source *s);
/* After source_stop(): were all records read? */
bool source_is_empty(struct source *s);

#endif
