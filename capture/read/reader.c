/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>

#include "util/clock.h"
#include "capture/attach/trace/drop_names.h"
#include "reader.h"
#include "capture/attach/attachment.h"
#include "capture/attach/watch.h"
#include "capture/divert/xsk_tx.h"

/* How often the clock's offset and the link are checked if there is no sign of a change. */
#define CHECK_EVERY_NS NS_PER_SEC
/* How often the kernel is asked again to send frames that it could not send at once. */
#define FLUSH_EVERY_NS NS_PER_MS

/* May frames be kept from the host? armed: RING_ARMED... */
static void set_armed(struct reading *all, uint32_t armed)
{
	for (unsigned i = 0; i < all->rings.controlled; i++)
		__atomic_store_n(&all->rings.ring[i].control->armed, armed, __ATOMIC_RELAXED);
}

static void arm(struct reading *all)
{
	set_armed(all, all->alone && all->first ? RING_ARMED_SOCKETS : RING_ARMED);
}

void reading_stop(struct reading *all)
{
	set_armed(all, 0);
	all->stopped = true;
}

int reading_open_all(struct afxdp_reader *r, struct reading *all, int doorbell)
{
	r->reading = all;
	r->merge.rings = &all->rings;
	r->merge.told = all->tells ? &all->rings : NULL;
	return wait_open(&r->wait, &all->rings, doorbell, all->immediate);
}

int reading_open_one(struct afxdp_reader *r, const struct afxdp_reader *all, unsigned number)
{
	struct reading *reading = all->reading;
	struct ring *ring = &reading->rings.ring[reading->first + number];
	int e;

	reading->rings.stirred = NULL; /* only the reader of all rings uses these bits */
	*r = (struct afxdp_reader){.reading = reading,
				   .capture = all->capture,
				   .nic_clock = all->nic_clock,
				   .has_nic_time = all->has_nic_time,
				   .next = reading->alone,
				   .one = reading->rings,
				   .number = number};
	r->one.ring = ring;
	r->one.due = &r->due;
	r->one.count = 1;
	r->one.controlled = ring->control != NULL;
	r->merge.rings = &r->one;
	if (reading->tells) /* a socket's frames come on any CPU */
		r->merge.told = ring->control ? &r->one : &reading->rings;
	r->cpu = ring->socket ? -1 : (int)ring->control->cpu;
	reading->alone = r;
	if (reading->begun && !reading->stopped)
		arm(reading);
	e = wait_open_silent(&r->wait, &r->one, reading->immediate);
	return e || !ring->socket ? e : wait_add_socket(&r->wait, xsk_fd(ring->socket));
}

void reading_close(struct afxdp_reader *r)
{
	struct afxdp_reader **at;

	wait_close(&r->wait);
	if (!r->one.count)
		return;
	for (at = &r->reading->alone; *at && *at != r; at = &(*at)->next)
		;
	if (*at)
		*at = r->next;
}

struct ring *reading_ring(const struct afxdp_reader *r)
{
	return r->one.count ? r->one.ring : NULL;
}

void reading_begin(struct afxdp_reader *r)
{
	struct reading *all = r->reading;

	if (!all->begun) {
		all->begun = true;
		filter_state_begin(&all->filter);
		merge_tell(&r->merge);
		if (!all->stopped)
			arm(all);
	}
	if (!r->one.count) {
		filter_state_adopt(&all->filter, &r->merge);
		filter_state_settle(&all->filter, &r->merge, false);
	}
}

/* May be called again: names that are there stay. */
static void name_drops(struct drop_names *names, const struct afxdp_run *run)
{
	const struct epb_header *at = run->first;
	struct epb_lengths l;

	for (; epb_measure(at, run->end, &l); at = (const void *)((const uint8_t *)at + l.total))
		drop_names_write(names, at, &l);
}

static int hand_out(struct afxdp_reader *r, struct afxdp_run *run)
{
	if (r->reading->drop_names)
		name_drops(r->reading->drop_names, run);
	run->changed = &r->reading->filter.pending;
	r->wait.busy = true;
	return 1;
}

/* Tells the reader of all rings, which reports it, even if another reader has found it. */
static int hand_out_nothing(struct afxdp_reader *r)
{
	if (r->merge.corrupted)
		__atomic_store_n(&r->reading->corrupted, true, __ATOMIC_RELAXED);
	return 0;
}

int afxdp_run(struct afxdp_reader *r, struct afxdp_run *run)
{
	if (r->reading->unread)
		return 0;
	reading_begin(r);
	return merge_run(&r->merge, run) ? hand_out(r, run) : hand_out_nothing(r);
}

int afxdp_run_seen(struct afxdp_reader *r, struct afxdp_run *run)
{
	if (r->reading->unread)
		return 0;
	reading_begin(r);
	return merge_run_seen(&r->merge, run) ? hand_out(r, run) : hand_out_nothing(r);
}

void afxdp_run_done(struct afxdp_reader *r, const struct afxdp_run *run,
		    const struct epb_header *next)
{
	merge_done(&r->merge, run, next);
}

uint32_t afxdp_refine(struct afxdp_reader *r, const struct epb_header *record)
{
	const struct filter_state *filter = &r->reading->filter;
	struct epb_lengths l;
	uint32_t keep;

	if (!merge_measure(&r->merge, record, &l))
		return 0;
	if (merge_trusts(&r->merge, record, l.caplen))
		return l.caplen;
	if (r->wait.table)
		afxdp_cook(r, record);
	keep = refine_run(filter->current, record, l.caplen);
	if (!keep) {
		reading_refuse(r, record, l.caplen);
		return 0;
	}
	if (keep > filter->snaplen)
		keep = filter->snaplen;
	return keep < l.caplen ? keep : l.caplen;
}

uint64_t afxdp_time(struct afxdp_reader *r, const struct epb_header *record)
{
	return r->has_nic_time ? nic_clock_time(&r->nic_clock, record) : epb_time(record);
}

/* Other readers read what is left when they learn of the end. */
static bool reads_first(const struct afxdp_reader *r)
{
	return !r->reading->alone && !r->reading->unread && wait_pending(&r->wait);
}

/* The kernel locks all network interfaces to answer. If the loader asks, this thread need not. */
static bool is_looked_after(const struct afxdp_reader *r)
{
	return r->wait.news >= 0 && r->watch->looked_after;
}

/* For packet sockets and drops, the notice that the interface is gone tells everything. */
static bool can_be_detached(const struct afxdp_reader *r, enum capture_hook h, uint32_t direction)
{
	return h != CAPTURE_HOOK_AUTO && h != CAPTURE_HOOK_PACKET && h != CAPTURE_HOOK_DROPS &&
	       !(r->reading->unwanted & direction);
}

/*
 * If frames have come since the last look, on each side that is wanted, the programs are attached;
 * and if the interface has counted no frames, none is missing. But the last frames before a silence
 * may have come after a detachment, so the kernel is asked once when frames stop. While a network
 * namespace with many interfaces is removed, it may take seconds to answer.
 */
static bool are_offered(struct afxdp_reader *r)
{
	const struct plan *p = &r->watch->attachment->plan;
	const bool matters[SIDES] = {[SIDE_RECEIVED] = can_be_detached(r, p->in, EPB_FLAG_INBOUND),
				     [SIDE_SENT] = can_be_detached(r, p->out, EPB_FLAG_OUTBOUND)};
	const struct ring_set *rings = &r->reading->rings;
	bool all = true;

	for (enum side i = 0; i < SIDES; i++) {
		/* Before the rings: a frame in between must not look as if it were missing. */
		bool silent = watch_is_silent(r->watch, i);
		uint64_t n = 0;
		bool came;

		for (unsigned k = 0; k < rings->controlled; k++)
			n += ring_counter(&rings->ring[k].control->side[i].offered);
		came = n != r->seen[i]; /* drivers that count in hardware may count later */
		all &= !matters[i] || came || (silent && !r->stirred[i]);
		r->seen[i] = n;
		r->stirred[i] = came && (r->stirred[i] || !silent);
	}
	return all;
}

/* Called once a second, or when something happened to a link. Records that are left are read
 * first. */
static int check(struct afxdp_reader *r)
{
	uint64_t now = clock_monotonic();
	int e;

	if (!r->one.count && __atomic_load_n(&r->reading->corrupted, __ATOMIC_RELAXED))
		return ring_set_has_other(&r->reading->rings) ? -EUSERS : -EBADMSG;
	if (!r->watch)
		return 0;
	if (r->end)
		return r->end;
	if (r->wait.gone)
		return reads_first(r) ? 0 : -ENODEV;
	if (!r->wait.links_changed && now - r->checked < CHECK_EVERY_NS)
		return 0;
	r->checked = now;
	reading_prove(r);
	reading_tell_headroom(r);
	reading_heed(r); /* it may be the cause of what the kernel says of links now */
	ring_set_clock(&r->reading->rings, r->reading->clock_is_tai);
	if (reads_first(r) || (!r->wait.links_changed && is_looked_after(r)))
		return 0;
	e = watch_look(r->watch, are_offered(r) && !r->wait.links_changed);
	r->wait.links_changed = e != 0; /* afxdp_wait() reports it, not afxdp_gather() */
	r->end = e;
	/* First what came before the answer, which may take seconds. The other side may go on
	 * forever. */
	return reads_first(r) ? 0 : e;
}

int afxdp_poll(struct afxdp_reader *r)
{
	int e = r->woken && r->merge.held ? wait_for_order(&r->wait) : wait_poll(&r->wait);

	return e ? e : check(r);
}

static bool has_unsent(const struct afxdp_reader *r)
{
	return r->tx && xsk_tx_flush(r->tx);
}

int afxdp_wait(struct afxdp_reader *r, int timeout_ms)
{
	int64_t limit = timeout_ms < 0 ? -1 : timeout_ms * NS_PER_MS;
	int e = check(r);

	if (e)
		return e;
	if (limit < 0 || limit > CHECK_EVERY_NS)
		limit = CHECK_EVERY_NS;
	if (has_unsent(r) && limit > FLUSH_EVERY_NS)
		limit = FLUSH_EVERY_NS;
	e = wait_sleep(&r->wait, limit, r->merge.held);
	if (e == -ETIME)
		e = timeout_ms < 0 || limit < timeout_ms * NS_PER_MS ? 0 : e;
	return e;
}

/* Will the next look come later, not at once? */
static bool is_paced(const struct afxdp_reader *r)
{
	return !r->reading->immediate && !r->merge.crowded;
}

bool afxdp_was_told(struct afxdp_reader *r)
{
	r->woken = wait_has_told(&r->wait);
	return r->woken;
}

void afxdp_gather(struct afxdp_reader *r, int timeout_ms)
{
	int64_t left = r->wait.timed ? CHECK_EVERY_NS : wait_pace(&r->wait);

	if (!is_paced(r))
		return;
	if (timeout_ms > 0 && left > timeout_ms * NS_PER_MS)
		left = timeout_ms * NS_PER_MS;
	/* Some records may have come just after the last look. */
	left += (int64_t)(r->merge.looked - clock_monotonic());
	if (left > 0 && check(r) == 0) /* afxdp_wait() will report an error again */
		wait_sleep(&r->wait, left, r->merge.held);
}

void afxdp_rest(struct afxdp_reader *r)
{
	/* A caller that selects must be woken for the first read. */
	bool first = r->reading->read_first && !r->reading->begun;
	bool unsent = has_unsent(r);
	bool more = is_paced(r) ? merge_has_seen(&r->merge) : wait_pending(&r->wait);
	bool ends = r->merge.corrupted || r->wait.gone || r->wait.links_changed;

	wait_rest(&r->wait, first || more || ends, (r->merge.held || unsent) && !ends);
}

int afxdp_fd(const struct afxdp_reader *r)
{
	return r->wait.epoll;
}

void afxdp_wake(struct afxdp_reader *r)
{
	wait_wake(&r->wait);
}

int afxdp_set_blocking(struct afxdp_reader *r, bool blocking)
{
	wait_set_blocking(&r->wait, blocking);
	return 0;
}

int afxdp_reader_cpu(const struct afxdp_reader *r)
{
	return r->cpu;
}

unsigned afxdp_reader_queue(const struct afxdp_reader *r)
{
	return r->one.count && r->one.ring->socket ? r->one.ring->socket->queue : 0;
}

void afxdp_begin(struct afxdp_reader *all)
{
	reading_begin(all);
	filter_state_settle(&all->reading->filter, &all->merge, true); /* they do not ask for it */
	for (struct afxdp_reader *r = all->reading->alone; r; r = r->next) {
		r->merge.generation = all->merge.generation;
		r->merge.settle_after = all->merge.settle_after;
	}
}

/* need_wakeup does not tell, because the program has cleared it when it rang. But what was read is
 * released before the reader sleeps. */
static bool is_rung_for(const struct afxdp_reader *r)
{
	const struct ring_control *c = r->one.ring->control;

	return c && ring_published(c) != __atomic_load_n(&c->tail, __ATOMIC_RELAXED);
}

int afxdp_attend(struct afxdp_reader *all)
{
	int e = afxdp_poll(all);

	for (struct afxdp_reader *r = all->reading->alone; r; r = r->next)
		if (is_rung_for(r))
			wait_wake(&r->wait);
	return e;
}
