/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Merges many rings into one stream, by time stamp.
 *
 * A record is stamped before it is published, so a ring that looks empty may yet deliver a record
 * that is older than one in another ring. Hence the window: once more than one ring is in use,
 * records younger than WINDOW_NS wait. A record that takes longer than that from stamp to
 * publication (because a softirq was interrupted or preempted) comes out late by the difference,
 * and by no more.
 */
#include "util/clock.h"
#include "merge.h"

/* A stamp that is further ahead than this is not young: the clock was set back. Do not hold it
 * forever. */
#define AHEAD_NS (100 * NS_PER_MS)

/*
 * The rings with records to read form a heap: the children of due[i] are due[2i + 1] and due[2i +
 * 2], and none has an older record than its parent. A record costs one path through the heap, and
 * empty rings cost nothing.
 */
static void put_into_heap(struct merge *m, struct ring *r)
{
	uint64_t time = epb_time(ring_record(r));
	struct ring_due *heap = m->rings->due;
	unsigned at = m->due++;

	for (unsigned parent; at && time < heap[parent = (at - 1) / 2].time; at = parent)
		heap[at] = heap[parent];
	heap[at] = (struct ring_due){.time = time, .ring = r};
}

/* Replace the first of the heap. */
static void replace_first(struct merge *m, struct ring_due by)
{
	struct ring_due *heap = m->rings->due;
	unsigned at = 0, child;

	while ((child = 2 * at + 1) < m->due) {
		child += child + 1 < m->due && heap[child + 1].time < heap[child].time;
		if (by.time <= heap[child].time)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = by;
}

static void fill_heap(struct merge *m)
{
	m->due = 0;
	for (unsigned i = 0; i < m->rings->count; i++)
		if (m->rings->ring[i].position != m->rings->ring[i].head)
			put_into_heap(m, &m->rings->ring[i]);
}

/* Call it when records of this ring were read. */
static void update_heap(struct merge *m, struct ring *r)
{
	const struct ring_due *heap = m->rings->due;

	if (!m->due || heap->ring != r) /* a nested read came first */
		fill_heap(m);
	else if (r->position != r->head)
		replace_first(m, (struct ring_due){epb_time(ring_record(r)), r});
	else if (--m->due)
		replace_first(m, heap[m->due]);
}

static void look_at(struct merge *m, struct ring *r, bool settled)
{
	ring_look(m->rings, r);
	if (r->head && !r->used)
		m->live++;
	r->used |= r->head != 0;
	if (settled && r->refine_below == UINT64_MAX)
		r->refine_below = r->head;
	ring_find(m->rings, r);
	if (r->position != r->head)
		put_into_heap(m, r);
	m->corrupted |= r->corrupted;
}

bool merge_has_seen(const struct merge *m)
{
	return m->due;
}

/* most: bytes in the fullest ring, which all came since the last look. */
static void note_look(struct merge *m, uint64_t most)
{
	uint64_t now = clock_monotonic(), since = now - m->looked;

	m->rings->hot_ns = most && since < NS_PER_SEC ? RING_HOT * since / most : 0;
	m->looked = now;
}

/* Once a tick, because it costs each program a cache line. */
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
	 * No program with an older filter is running: what comes behind the heads is from the new
	 * one.
	 */
	bool settled = m->generation && (!m->settle_after || clock_monotonic() > m->settle_after);

	merge_tell(m);
	m->crowded = false;
	m->now = m->live > 1 ? clock_wall() : 0; /* before the heads: see the window above */
	m->due = 0;
	for (unsigned i = ring_set_next(s, 0); i < s->count; i = ring_set_next(s, i + 1)) {
		struct ring *r = &s->ring[i];

		look_at(m, r, settled);
		m->crowded |= r->head - r->position > ring_room(s, r) / 2;
		if (!r->socket && r->head - r->position > most)
			most = r->head - r->position;
	}
	if (m->due)
		note_look(m, most);
	if (m->live > 1 && !m->now) /* the second ring has just come to life */
		m->now = clock_wall() - WINDOW_NS;
}

static bool is_young(const struct merge *m, uint64_t time)
{
	int64_t age = (int64_t)(m->now - time);

	return m->live > 1 && age < WINDOW_NS && age > -AHEAD_NS;
}

/* The time of the oldest record in any ring other than the first. */
static uint64_t second_time(const struct merge *m)
{
	const struct ring_due *heap = m->rings->due;
	uint64_t time = m->due > 1 ? heap[1].time : UINT64_MAX;

	return m->due > 2 && heap[2].time < time ? heap[2].time : time;
}

/* Includes at least one record. */
static const uint8_t *run_end(const struct ring *r)
{
	uint64_t length = (uint64_t)(r->end - r->at), refine = r->refine_below - r->position;

	if (!r->socket && r->position < r->refine_below && length > refine &&
	    refine >= ring_record(r)->total_length)
		length = refine;
	return r->at + length;
}

/* Member by member, because a copy of the whole struct would wait for these stores. */
static void make_run(const struct merge *m, uint64_t until, struct afxdp_run *run)
{
	const struct ring *r = m->run;

	run->first = ring_record(r);
	run->end = run_end(r);
	run->until = until;
	run->refine = r->position < r->refine_below;
	run->ring = (unsigned)(r - m->rings->ring);
}

static bool next_run(struct merge *m, struct afxdp_run *run)
{
	const struct ring_due *first = m->rings->due;
	uint64_t until;

	m->held = false;
	if (!m->due || m->corrupted)
		return false;
	if (is_young(m, first->time)) {
		m->held = true;
		return false;
	}
	until = second_time(m);
	if (m->live > 1 && until > m->now - WINDOW_NS && first->time <= m->now - WINDOW_NS)
		until = m->now - WINDOW_NS;
	if (until < first->time) /* the clock went back between two records of this ring */
		until = first->time;
	m->run = first->ring;
	make_run(m, until, run);
	return true;
}

bool merge_run_seen(struct merge *m, struct afxdp_run *run)
{
	merge_tell(m); /* a reader with much to read may take seconds until it looks again */
	if (m->last) {
		ring_release(m->last);
		m->corrupted |= m->last->corrupted;
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
	update_heap(m, r);
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
