/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * One stream out of many rings, by time stamp.
 *
 * A record is stamped before it is published, so a ring that looks empty may yet bring one that is
 * older than what another ring holds. Hence the window: records younger than WINDOW_NS wait, once
 * more than one ring is in use. What is stamped and takes longer than that to be published (an
 * interrupted or preempted softirq) comes out late by the excess, and by no more.
 */
#include "util/clock.h"
#include "merge.h"

/* A stamp further ahead than this is not young: the clock was set back. Do not hold it for ever. */
#define AHEAD_NS (100 * NS_PER_MS)

static void find(struct merge *m, struct ring *r)
{
	ring_find(m->rings, r);
	m->corrupted |= r->corrupted;
	if (r->head != r->position)
		r->next_time = epb_time(ring_record(r));
}

static void look_at(struct merge *m, struct ring *r, bool settled)
{
	ring_look(m->rings, r);
	if (settled && r->refine_below == UINT64_MAX)
		r->refine_below = r->head;
	find(m, r);
}

bool merge_has_seen(const struct merge *m)
{
	for (unsigned i = 0; i < m->rings->count; i++)
		if (m->rings->ring[i].position != m->rings->ring[i].head)
			return true;
	return false;
}

/* most: bytes in the fullest ring, all of which came since the look before. */
static void note_look(struct merge *m, uint64_t most)
{
	uint64_t now = clock_monotonic(), since = now - m->looked;

	m->rings->hot_ns = most && since < NS_PER_SEC ? RING_HOT * since / most : 0;
	m->looked = now;
}

/* Once a tick, as it costs each program a cache line. */
void merge_tell(struct merge *m)
{
	uint64_t now = m->told ? clock_coarse() : m->told_at;

	if (now == m->told_at)
		return;
	m->told_at = now;
	ring_set_looked(m->told, now);
}

void merge_look(struct merge *m)
{
	struct ring_set *s = m->rings;
	uint64_t most = 0;
	/*
	 * No program of an older filter is under way: what comes behind the heads is the new one's.
	 */
	bool settled = m->generation && (!m->settle_after || clock_monotonic() > m->settle_after);

	merge_tell(m);
	m->until = 0;
	m->crowded = false;
	m->now = m->live > 1 ? clock_wall() : 0; /* before the heads: see the window above */
	m->live = 0;
	for (unsigned i = 0; i < s->count; i++) {
		struct ring *r = &s->ring[i];

		look_at(m, r, settled);
		m->crowded |= r->head - r->position > ring_room(s, r) / 2;
		if (!r->socket && r->head - r->position > most)
			most = r->head - r->position;
		if (r->head)
			m->live++;
	}
	if (merge_has_seen(m))
		note_look(m, most);
	if (m->live > 1 && !m->now) /* the second ring has just come to life */
		m->now = clock_wall() - WINDOW_NS;
}

static bool is_young(const struct merge *m, uint64_t time)
{
	int64_t age = (int64_t)(m->now - time);

	return m->live > 1 && age < WINDOW_NS && age > -AHEAD_NS;
}

/* The ring with the oldest record, and in *until the time up to which it may go on alone. */
static struct ring *oldest(struct merge *m, uint64_t *until)
{
	struct ring *first = NULL;

	*until = UINT64_MAX;
	for (unsigned i = 0; i < m->rings->count; i++) {
		struct ring *r = &m->rings->ring[i];

		if (r->position == r->head)
			continue;
		if (!first || r->next_time < first->next_time) {
			if (first)
				*until = first->next_time;
			first = r;
		} else if (r->next_time < *until) {
			*until = r->next_time;
		}
	}
	return first;
}

/* One record at least. */
static const uint8_t *run_end(const struct ring *r)
{
	uint64_t length = (uint64_t)(r->end - r->at), refine = r->refine_below - r->position;

	if (!r->socket && r->position < r->refine_below && length > refine &&
	    refine >= ring_record(r)->total_length)
		length = refine;
	return r->at + length;
}

/* Member by member: a copy of the whole has to wait for these stores. */
static void make_run(const struct merge *m, const struct ring *r, struct afxdp_run *run)
{
	run->first = ring_record(r);
	run->end = run_end(r);
	run->until = m->until;
	run->refine = r->position < r->refine_below;
	run->ring = (unsigned)(r - m->rings->ring);
}

/* A socket's frames do not lie together: one run each, for which not all rings are looked at. */
static bool goes_on(const struct merge *m)
{
	const struct ring *r = m->run;

	return r && r->socket && r->position != r->head && r->next_time <= m->until;
}

static bool next_run(struct merge *m, struct afxdp_run *run)
{
	uint64_t until;
	struct ring *r = oldest(m, &until);

	m->held = false;
	if (!r || m->corrupted)
		return false;
	if (is_young(m, r->next_time)) {
		m->held = true;
		return false;
	}
	if (m->live > 1 && until > m->now - WINDOW_NS && r->next_time <= m->now - WINDOW_NS)
		until = m->now - WINDOW_NS;
	if (until < r->next_time) /* the clock went back between two records of this ring */
		until = r->next_time;
	m->run = r;
	m->until = until;
	make_run(m, r, run);
	return true;
}

bool merge_run_seen(struct merge *m, struct afxdp_run *run)
{
	merge_tell(m); /* a reader with much to read may look again only after seconds */
	if (m->last)
		ring_release(m->last);
	if (goes_on(m) && !m->corrupted) {
		make_run(m, m->run, run);
		return true;
	}
	return next_run(m, run);
}

bool merge_run(struct merge *m, struct afxdp_run *run)
{
	if (merge_run_seen(m, run))
		return true;
	merge_look(m);
	return next_run(m, run);
}

void merge_done(struct merge *m, const struct afxdp_run *run, const struct epb_header *next)
{
	struct ring *r = &m->rings->ring[run->ring];

	ring_advance(m->rings, r, (uint64_t)((const uint8_t *)next - (const uint8_t *)run->first));
	m->corrupted |= r->corrupted;
	if (r->position != r->head)
		r->next_time = epb_time(ring_record(r));
	m->last = r;
}

bool merge_measure(const struct merge *m, const struct epb_header *record, struct epb_lengths *l)
{
	return epb_measure(record, m->run->end, l);
}

bool merge_trusts(const struct merge *m, const struct epb_header *record, uint32_t caplen)
{
	const struct ring *r = m->run;
	uint64_t position = r->position + (uint64_t)((const uint8_t *)record - r->at);
	const struct epb_options *o = epb_options_behind(record, caplen);

	return m->generation && position >= r->distrust_below &&
	       EPB_GENERATION(o->packetid_high) == m->generation;
}
