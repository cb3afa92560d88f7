/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "xdpdump/os/complain.h"
#include "xdpdump/cli/options.h"
#include "xdpdump/output/output.h"
#include "source.h"
#include "trigger.h"

int trigger_open(struct trigger *t, const struct options *o)
{
	int e = 0;

	*t = (struct trigger){.waits = o->pre_trigger || o->trigger};
	if (o->pre_trigger)
		e = history_open(&t->history, o->pre_trigger);
	if (e)
		complain("--pre-trigger: no memory for it: %s", strerror(-e));
	return e;
}

void trigger_close(struct trigger *t)
{
	history_close(&t->history);
}

void trigger_watch(struct trigger *t, struct source *s, const struct epb_header **next, uint64_t *n)
{
	const struct epb_header *at = s->run.first;
	struct epb_lengths l;

	for (*n = 0; afxdp_run_at(&s->run, at, &l); at = batch_next(at, &l)) {
		uint32_t keep = s->run.refine ? afxdp_refine(s->reader, at) : l.caplen;

		if (keep && s->trigger && afxdp_matches(s->trigger, at)) {
			t->waits = false;
			break;
		}
		if (keep) {
			t->before++;
			history_keep(&t->history, at, &l, keep < l.caplen ? keep : l.caplen);
		}
		++*n;
	}
	*next = at;
}
