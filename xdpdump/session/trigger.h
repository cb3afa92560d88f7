/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Until something happens, records go to memory and not to the output. */
#ifndef XDPDUMP_TRIGGER_H
#define XDPDUMP_TRIGGER_H

#include "history.h"

struct options;
struct source;

struct trigger {
	bool waits;
	uint64_t before; /* packets that came before it and are not written */
	struct history history;
};

/* -errno after telling why. Waits if options say so. */
int trigger_open(struct trigger *t, const struct options *o);
void trigger_close(struct trigger *t);
/*
 * Of the source's run, keep what comes before the record that pulls the trigger. *next: where it
 * stopped, after *n records; the trigger then no longer waits unless the run has ended.
 */
void trigger_watch(struct trigger *t, struct source *s, const struct epb_header **next,
		   uint64_t *n);

#endif
