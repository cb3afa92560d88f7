/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Counters: of the programs in the control pages, of sockets, and of readers. */
#include <string.h>

#include "capture/attach/trace/drops.h"
#include "capture_private.h"
#include "util/less.h"

_Static_assert((int)AFXDP_RECEIVED == SIDE_RECEIVED && (int)AFXDP_SENT == SIDE_SENT &&
		       (int)AFXDP_SIDES == SIDES,
	       "sides have the numbers of the face");

/* While frames are in flight this is not known; when there are none, what has not arrived is
 * lost. */
static void count_sockets(const struct afxdp_capture *c, struct afxdp_stats *s, uint64_t diverted)
{
	uint64_t received;

	divert_count(&c->divert, s, &received);
	if (c->attachment.borrowed) { /* only the sockets tell anything */
		s->offered += received + s->lost_socket;
		s->matched += received + s->lost_socket;
		s->side_seen[SIDE_RECEIVED] += received + s->lost_socket;
		s->side_matched[SIDE_RECEIVED] += received + s->lost_socket;
	}
	if (c->reading.stopped && !wait_pending(&c->reader.wait) &&
	    diverted > received + s->lost_socket)
		s->lost_redirect = diverted - received - s->lost_socket;
	s->side_lost[SIDE_RECEIVED] += s->lost_socket + s->lost_redirect;
}

static void count_reader(const struct afxdp_reader *r, struct afxdp_stats *s)
{
	for (enum side i = 0; i < SIDES; i++) {
		uint64_t n = __atomic_load_n(&r->refused[i], __ATOMIC_RELAXED);

		s->refused += n;
		s->side_refused[i] += n;
	}
	s->refused_truncated += __atomic_load_n(&r->refused_truncated, __ATOMIC_RELAXED);
	s->unstamped = r->nic_clock.missing;
}

static void count_flows(const struct afxdp_capture *c, struct afxdp_stats *s)
{
	const struct sets_control *control = c->sets.map;

	if (!control)
		return;
	/* Only counts: they order nothing. */
	s->flows_bad = __atomic_load_n(&control->flows_bad, __ATOMIC_RELAXED);
	s->flows_full = __atomic_load_n(&control->flows_full, __ATOMIC_RELAXED);
}

static void count_no_ring(const struct afxdp_capture *c, struct afxdp_stats *s)
{
	for (enum side i = 0; i < SIDES && c->page; i++) {
		uint64_t n = ring_counter(&c->page->lost_no_ring[i]) - c->no_ring_before[i];

		s->lost_no_ring += n;
		s->side_seen[i] += n;
		s->side_matched[i] += n;
		s->side_lost[i] += n;
	}
}

/* Counted while others go on counting: never below 0. */
static void count_nested(const struct afxdp_capture *c, struct afxdp_stats *s)
{
	uint64_t n = c->reading.drop_names ? less(drops_nested(&c->program), c->nested_before) : 0;

	s->lost_nested += n;
	s->side_seen[SIDE_RECEIVED] += n;
	s->side_matched[SIDE_RECEIVED] += n;
	s->side_lost[SIDE_RECEIVED] += n;
}

static void count_all(struct afxdp_capture *c, struct afxdp_stats *s)
{
	struct ring_set *rings = &c->reading.rings;
	struct ring_control r;
	uint64_t diverted = 0;

	for (unsigned i = 0; i < rings->controlled; i++) {
		ring_counts(&rings->ring[i], &r);
		ring_count(&r, s);
		s->no_socket += r.no_socket;
		s->no_headroom += r.no_headroom;
		diverted += r.diverted;
	}
	s->side_lost[SIDE_RECEIVED] += s->no_socket;
	if (c->divert.count)
		count_sockets(c, s, diverted);
	count_no_ring(c, s);
	count_nested(c, s);
	count_flows(c, s);
	count_reader(&c->reader, s);
	s->injected = c->inject.by_socket;
	s->injected_packet = c->inject.by_packet;
	watch_refresh(&c->watch); /* if the interface is gone, the last known value stays */
	s->nic_dropped = c->watch.nic_dropped - c->nic_dropped_before + c->watch.missed;
	__atomic_store_n(&c->nic_dropped, s->nic_dropped, __ATOMIC_RELAXED);
}

static void count_socket(const struct xsk *x, struct afxdp_stats *s)
{
	struct xsk_counts n = {0};

	xsk_count(x, &n);
	s->lost_socket = n.dropped + n.ring_full;
	s->fill_empty = n.fill_empty;
	s->truncated = x->torn;
	s->offered = s->matched = x->received + s->lost_socket;
	s->side_seen[SIDE_RECEIVED] = s->side_matched[SIDE_RECEIVED] = s->matched;
	s->side_lost[SIDE_RECEIVED] = s->lost_socket;
}

/* The program has also seen frames that the sockets' readers get, and with queues= those of the
 * host. */
static void count_ring(const struct ring_control *r, bool sockets, struct afxdp_stats *s)
{
	uint64_t elsewhere = r->diverted + r->no_socket;

	ring_count(r, s);
	if (sockets) {
		elsewhere += s->passed_watchdog;
		s->side_lost[SIDE_RECEIVED] = less(s->side_lost[SIDE_RECEIVED], s->passed_watchdog);
		s->passed_watchdog = 0;
	}
	s->offered = less(s->offered, elsewhere);
	s->matched = less(s->matched, elsewhere);
	s->side_seen[SIDE_RECEIVED] = less(s->side_seen[SIDE_RECEIVED], elsewhere);
	s->side_matched[SIDE_RECEIVED] = less(s->side_matched[SIDE_RECEIVED], elsewhere);
}

static void count_one(const struct afxdp_reader *r, struct afxdp_stats *s)
{
	struct ring *ring = reading_ring(r);
	struct ring_control counts;

	if (ring->socket) {
		count_socket(ring->socket, s);
	} else {
		ring_counts(ring, &counts);
		count_ring(&counts, r->capture->divert.count, s);
	}
	count_reader(r, s);
	if (r->number != 0)
		return;
	count_no_ring(r->capture, s);
	count_nested(r->capture, s);
	s->nic_dropped = __atomic_load_n(&r->capture->nic_dropped, __ATOMIC_RELAXED);
}

static void count(struct afxdp_reader *r, struct afxdp_stats *s)
{
	*s = (struct afxdp_stats){0};
	if (reading_ring(r))
		count_one(r, s);
	else
		count_all(r->capture, s);
	for (enum side i = 0; i < SIDES; i++)
		s->side_received[i] = less(s->side_matched[i], s->side_left_out[i]);
}

/*
 * A value that was returned never decreases later, in any thread. Differences are taken of counters
 * that are read one after the other while programs count, and a socket's counters may be gone.
 */
static void hold(struct afxdp_stats *told, struct afxdp_stats *now)
{
	uint64_t *most = (uint64_t *)told, *n = (uint64_t *)now;

	for (size_t i = 0; i < sizeof(*now) / sizeof(*n); i++) {
		uint64_t before = __atomic_load_n(&most[i], __ATOMIC_RELAXED);

		while (before < n[i] &&
		       !__atomic_compare_exchange_n(&most[i], &before, n[i], true, __ATOMIC_RELAXED,
						    __ATOMIC_RELAXED))
			;
		if (before > n[i])
			n[i] = before;
	}
}

/* A caller of another version has a shorter or a longer struct: counters are added at its end. */
void afxdp_reader_stats(struct afxdp_reader *r, struct afxdp_stats *s, size_t size)
{
	struct afxdp_stats now;

	count(r, &now);
	hold(&r->told, &now);
	if (size > sizeof(now))
		memset(s, 0, size);
	memcpy(s, &now, size < sizeof(now) ? size : sizeof(now));
}

int afxdp_stats(struct afxdp_capture *c, struct afxdp_stats *s, size_t size)
{
	afxdp_reader_stats(&c->reader, s, size);
	return 0;
}

bool afxdp_reader_is_empty(struct afxdp_reader *r, uint64_t read)
{
	const struct ring *ring = reading_ring(r);
	struct afxdp_stats s;

	if (ring && ring->socket)
		return !ring_has_more(ring);
	count(r, &s);
	return read >= afxdp_stats_records(&s);
}
