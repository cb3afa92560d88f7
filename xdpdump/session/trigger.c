/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "util/clock.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/source/sources.h"
#include "trigger.h"

void trigger_begin(struct trigger *t, const struct sources *all, const struct options *o)
{
	*t = (struct trigger){.waits = o->source.pre_trigger || o->source.trigger,
			      .unread = o->source.pre_trigger};
	for (unsigned i = 0; t->unread && i < all->count; i++)
		afxdp_keep_newest(all->source[i].reader);
}

bool trigger_came(const struct sources *all, uint64_t *time)
{
	*time = UINT64_MAX;
	for (unsigned i = 0; i < all->count; i++) {
		struct afxdp_reader *reader = all->source[i].reader;
		uint64_t at = reader ? afxdp_pulled(reader) : 0;

		if (at && at < *time)
			*time = at;
	}
	return *time != UINT64_MAX;
}

void trigger_pull(struct trigger *t, struct sources *all, uint64_t time)
{
	struct afxdp_reader *reader[SOURCES_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < all->count; i++) {
		struct source *s = &all->source[i];

		s->lost_time = clock_monotonic(); /* sources that are gone are read from now on */
		if (s->reader)
			reader[n++] = s->reader;
	}
	if (t->unread) {
		t->time = time;
		afxdp_take_over(reader, n);
	}
	t->waits = t->unread = false;
	t->begins = true;
}

void trigger_held(const struct trigger *t, const struct sources *all, uint64_t *packets,
		  uint64_t *bytes)
{
	*packets = *bytes = 0;
	for (unsigned i = 0; t->unread && i < all->count; i++) {
		struct afxdp_stats stats;

		if (!all->source[i].reader)
			continue;
		source_stats(&all->source[i], &stats);
		*packets += afxdp_stats_records(&stats);
		*bytes += afxdp_kept(all->source[i].reader);
	}
}

bool trigger_meets(struct trigger *t, const struct source *s, const struct epb_header *record)
{
	if (!s->trigger || !afxdp_matches(s->trigger, record)) {
		t->before++;
		return false;
	}
	t->waits = false;
	t->begins = true;
	return true;
}
