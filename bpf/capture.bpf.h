/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the programs of all hooks do with a frame after the filter has run. */
#pragma once

#include "count.bpf.h"
#include "divert.bpf.h"
#include "filter.bpf.h"
#include "reduce.bpf.h"
#include "ring.bpf.h"
#include "sets.bpf.h"
#include "socket.bpf.h"
#include "watch.bpf.h"
#include "write.bpf.h"

/* Where xdp_root finds the capture program; replacing this entry swaps the filter. */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, CAPTURE_SLOTS);
	__type(key, __u32);
	__type(value, __u32);
} slots SEC(".maps");

/* Samples evenly among the frames that match on this CPU and side. */
static __always_inline int is_sampled_out(struct ring_control *r, const struct frame *f)
{
	if (!f->reduced || sample_every < 2 || f->keep == RING_PULLS ||
	    r->side[side_of(f)].matched % sample_every == 0)
		return 0;
	count_left_out(r, f, &r->sampled_out);
	return 1;
}

#define TURN_TRIES 64

/* The ring of this CPU, or the socket of the frame's queue. */
enum sink { SINK_RING, SINK_SOCKET };

static __always_inline void record(void *ctx, enum hook hook, struct ring_control *r,
				   const struct frame *f)
{
	__u64 total = is_sampled_out(r, f) ? 0 : record_write(ctx, hook, r, f);

	if (__builtin_expect(sets_told, 0) && total)
		total = append_entries(r, total);
	if (total) {
		r->write += total;
		ring_publish(r, f, r->write - total);
	}
}

/*
 * Is it a frame that the reader of this ring has sent, on its way out? As with AF_PACKET, the
 * reader does not get these. It does get those that come back, even if they still belong to the
 * socket.
 */
static __always_inline int is_own(void *ctx, const struct ring_control *r, const struct frame *f)
{
	__u64 own = f->has_sender ? READ_ONCE(r->own_socket) : 0;

	return own && bpf_get_socket_cookie(ctx) == own;
}

/* Has recording not begun yet, or has it ended? */
static __always_inline int is_outside(const struct ring_control *r, __u32 gates)
{
	int is_past = bpf_ktime_get_ns() >= READ_ONCE(r->gate);

	return gates & RING_GATE_ENDS ? is_past : !is_past;
}

static __always_inline int is_unwanted(const struct ring_control *r, const struct frame *f)
{
	__u32 why = READ_ONCE(r->unwanted) & (f->flags | RING_GATE_BEGINS | RING_GATE_ENDS);

	return __builtin_expect(why, 0) && (why & f->flags || is_outside(r, why));
}

/* queues=: did it come by a queue that was not named? */
static __always_inline int is_of_others(const struct frame *f)
{
	__u64 word = f->queue / 64;

	if (!queues_named || !is_received(f))
		return 0;
	if (word >= QUEUES_MAX / 64)
		return 1;
	AT_MOST(word, QUEUES_MAX / 64 - 1); /* never more: for the verifier */
	return !(queues_wanted[word] >> f->queue % 64 & 1);
}

/* A matching frame is recorded, sent to a socket, or left to the host. */
static __always_inline enum fate take(void *ctx, enum hook hook, enum sink sink,
				      struct ring_control *r, struct frame *f, __u32 keeps)
{
	/* The counter of frames that the host gets after all. */
	const __u64 *passed = NULL;
	__u64 before = 0;
	enum fate fate;

	if (keeps) {
		passed = full_pass ? &r->side[side_of(f)].lost : &r->passed_watchdog;
		before = *passed;
	}
	if (sets_asked) {
		if (!is_in_sets(ctx, hook, r, f)) {
			r->side[side_of(f)].matched--;
			return FATE_REST; /* not subject to rest=drop */
		}
		if (sets_told)
			note_entries(r);
	}
	if (keeps) {
		if (is_of_others(f)) {
			r->no_socket++;
			return FATE_PASS;
		}
		if ((sink == SINK_SOCKET || leaves_gaps()) && is_watched(r, f) && is_deserted(r)) {
			count_lost(r, f, &r->passed_watchdog);
			return FATE_PASS;
		}
	}
	if (sink == SINK_SOCKET) {
		fate = divert(ctx, r, f);
		if (fate != FATE_RING)
			return fate;
		if (f->may_have_tag && f->tag) /* in a record the tag is part of the frame */
			f->length += 4;
	}
	record(ctx, hook, r, f);
	return keeps && *passed != before ? FATE_PASS : FATE_KEPT;
}

/* What becomes of a frame that did not match. */
static __always_inline enum fate leave(struct ring_control *r, const struct frame *f)
{
	if (!rest_drop || !is_received(f))
		return FATE_REST;
	if (is_of_others(f))
		return FATE_PASS;
	if (!is_watched(r, f) || !is_deserted(r))
		return FATE_REST;
	r->rest_watchdog++;
	return FATE_PASS;
}

/* CPUs that came after the rings were made, or that no list shows, share a ring. */
static __always_inline int is_shared(const struct ring_control *r)
{
	return shares_ring && READ_ONCE(r->shared);
}

/*
 * A record takes some 100 ns, and few CPUs share a ring. 0: it took too long. Pairs with
 * end_turn().
 */
static __always_inline int take_turn(struct ring_control *r)
{
	for (int i = 0; i < TURN_TRIES; i++)
		if (!__sync_lock_test_and_set(&r->busy, 1))
			return 1;
	return 0;
}

/* Pairs with the exchange in the next take_turn(), which sees all that was written here. */
static __always_inline void end_turn(struct ring_control *r)
{
	__u32 was = __sync_lock_test_and_set(&r->busy, 0);

	USED(was);
}

/*
 * Is another program working on this ring? If not, this one is from now on. Programs on one CPU run
 * one after the other, but on PREEMPT_RT one may run between the other's load and its store. The
 * exchange pairs with itself, on the same CPU; nothing else needs an order there.
 */
static __always_inline int is_busy(struct ring_control *r)
{
	if (preempt_rt)
		return __sync_lock_test_and_set(&r->busy, 1);
	if (r->busy)
		return 1;
	r->busy = 1;
	return 0;
}

/*
 * Find the socket, and note it in the ring of this CPU, which is returned. A frame of a socket that
 * is surely not wanted is not kept.
 */
static __always_inline struct ring_control *take_socket(void *ctx, enum hook hook, struct frame *f)
{
	struct ring_control *r;
	struct found found = {};

	find_socket(ctx, hook, &found, f);
	if (is_of_another(&found))
		f->keep = 0;
	r = ring_of_this_cpu(f);
	if (r) {
		r->socket_how = found.how;
		r->socket_cookie = found.cookie;
	}
	return r;
}

static __always_inline enum fate capture(void *ctx, enum hook hook, enum sink sink, struct frame *f)
{
	struct ring_control *r = ring_of_this_cpu(f);
	enum fate fate;
	struct side_counts *side;
	__u32 keeps = keeps_frames, mode, armed;

	if (!r || is_unwanted(r, f) || is_own(ctx, r, f))
		return FATE_PASS;
	armed = keeps ? READ_ONCE(r->armed) : 0;
	if (keeps && !armed && is_received(f) && (sink == SINK_SOCKET || read_first))
		return FATE_PASS;
	mode = READ_ONCE(r->mode);
	/* No frame is kept from the host on suspicion. */
	if (mode & RING_TAKE_ALL && (sink == SINK_RING || rest_drop))
		f->keep = ~0u;
	if (is_shared(r) ? !take_turn(r) : is_busy(r)) {
		if (f->keep)
			__sync_fetch_and_add(&r->lost_reentry[side_of(f)], 1);
		return FATE_PASS;
	}
	barrier();
	side = &r->side[side_of(f)];
	side->offered++;
	FORGET(f->keep, r->nothing);
	if (f->may_have_tag)
		FORGET(f->tag, r->nothing);
	if (!mode && !f->unsure) {
		f->snaplen = READ_ONCE(r->snaplen);
		f->generation = filter_generation();
		f->reduced = 1;
	} else if (f->keep) {
		f->keep = f->snaplen = ~0u;
	}
	if (f->keep && knows_socket(f) && __builtin_expect(who, 0)) {
		/* Looked up again: keeping it in a register would cost more when this option is
		 * off. */
		r = take_socket(ctx, hook, f);
		if (!r) /* never: for the verifier */
			return FATE_PASS;
		side = &r->side[side_of(f)];
	}
	if (f->keep) {
		side->matched++;
		fate = take(ctx, hook, sink, r, f, keeps);
	} else {
		fate = keeps ? leave(r, f) : FATE_REST;
	}
	barrier();
	if (is_shared(r))
		end_turn(r);
	else
		r->busy = 0;
	return fate == FATE_SENT || armed ? fate : FATE_PASS;
}
