/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The producer's side of a ring: layout.h has the layout. */
#pragma once

#include "count.bpf.h"

#define MAX_CPUS 4096
#define NO_RING	 0xffff
const volatile __u16 ring_of_cpu[MAX_CPUS] = {};
/* CPUs without a ring of their own share this one. */
const volatile __u32 shares_ring = 0;
const volatile __u32 shared_ring = NO_RING;

/* One entry per ring; the size is set before load. See layout.h for the value. */
struct rings {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, RING_VALUE_SIZE(RING_SIZE_MIN));
};
struct rings rings SEC(".maps"); /* those of the first memory node, or of all */
struct rings rings_1 SEC(".maps");
struct rings rings_2 SEC(".maps");
struct rings rings_3 SEC(".maps");
struct rings rings_4 SEC(".maps");
struct rings rings_5 SEC(".maps");
struct rings rings_6 SEC(".maps");
struct rings rings_7 SEC(".maps");
const volatile __u32 ring_maps = 1;		     /* the number of maps, */
const volatile __u32 ring_first[RING_MAPS_MAX] = {}; /* and the first ring of each */

/* Carries no data: an entry wakes the reader. Entries have 16 bytes; one per ring and sleep. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} doorbell SEC(".maps");

/* One entry per ring, in the order of rings. The timers end with the map's last descriptor. */
struct ring_timer {
	struct bpf_timer timer;
	__u64 head, awaited; /* in the last period */
	__u32 unread;	     /* periods since the reader began to wait with unread records */
	__u32 idle;	     /* periods without a new record */
};
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ring_timer);
} timers SEC(".maps");

/* For records longer than this, cache lines are fetched first: at most this many. */
#define FETCH_ABOVE	256
#define FETCH_LINES_MAX 32
#define CACHE_LINE	64
/* How many chunks are taken back from the reader at a time, at most. More than one, to catch up. */
#define TAKE_BACK_MAX 4

static __always_inline __u32 ring_in_table(__u32 cpu)
{
	return cpu < MAX_CPUS ? ring_of_cpu[cpu] : shared_ring;
}

static __always_inline __u32 ring_number(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return cpus_sparse ? ring_in_table(cpu) : cpu;
}

/* A call for each map, because the kernel does not inline a call that is for several maps. */
#define LOOK_IN(map, n)                                                                            \
	if (ring_maps > (n) && i >= ring_first[n]) {                                               \
		i -= ring_first[n];                                                                \
		r = bpf_map_lookup_elem(&(map), &i);                                               \
		asm volatile("%0 = %0 # " #map : "+r"(r));                                         \
		return r;                                                                          \
	}

static __always_inline struct ring_control *ring_at_node(__u32 i)
{
	struct ring_control *r;

	LOOK_IN(rings_7, 7)
	LOOK_IN(rings_6, 6)
	LOOK_IN(rings_5, 5)
	LOOK_IN(rings_4, 4)
	LOOK_IN(rings_3, 3)
	LOOK_IN(rings_2, 2)
	LOOK_IN(rings_1, 1)
	r = bpf_map_lookup_elem(&rings, &i);
	asm volatile("%0 = %0 # rings" : "+r"(r));
	return r;
}

static __always_inline struct ring_control *ring_of_number(__u32 i)
{
	return ring_maps > 1 ? ring_at_node(i) : bpf_map_lookup_elem(&rings, &i);
}

/* If ring numbers are CPU numbers, nodes do not matter. */
static __always_inline struct ring_control *ring_here(void)
{
	__u32 i = bpf_get_smp_processor_id();

	if (cpus_sparse) {
		i = ring_in_table(i);
		if (ring_maps > 1)
			return ring_at_node(i);
	}
	return bpf_map_lookup_elem(&rings, &i);
}

static __always_inline struct ring_control *ring_of_this_cpu(const struct frame *f)
{
	struct ring_control *r = ring_here();

	if (!r && f->keep)
		__sync_fetch_and_add(&lost_no_ring[side_of(f)], 1);
	return r;
}

static __always_inline __u64 wall_clock(const struct ring_control *r)
{
	__u64 now;

	if (clock_is_coarse)
		now = bpf_ktime_get_coarse_ns();
	else
		now = clock_is_tai ? bpf_ktime_get_tai_ns() : bpf_ktime_get_ns();
	return now + READ_ONCE(r->clock_offset);
}

static __always_inline struct ring_chunk *ring_chunk(struct ring_control *r, __u64 number)
{
	return &r->chunks[number & (ring_mask >> chunk_shift) & (RING_CHUNKS_MAX - 1)];
}

/* Takes back chunks that the reader has finished with. Pairs with its release store of tail. */
static __always_inline void ring_take_back(struct ring_control *r)
{
	__u64 tail = READ_ONCE(r->tail) >> chunk_shift;

	for (int i = 0; i < TAKE_BACK_MAX && r->given_back < tail; i++) {
		r->free[r->free_count & (RING_CHUNKS_MAX - 1)] = ring_chunk(r, r->given_back)->at;
		r->free_count++;
		r->given_back++;
	}
}

static __always_inline struct ring_counts *ring_counts(struct ring_control *r, __u64 number)
{
	__u64 i = number & (ring_mask >> chunk_shift) & (RING_CHUNKS_MAX - 1);

	return (void *)r + RING_CONTROL_SIZE + ring_mask + 1 + i * sizeof(struct ring_counts);
}

/* The chunk with this number is full. f: the frame that is recorded next. */
static __always_inline void ring_note_full(struct ring_control *r, const struct frame *f,
					   __u64 number)
{
	struct ring_counts *n = ring_counts(r, number);

	for (__u32 i = 0; i < SIDES; i++)
		n->records[i] =
			r->side[i].matched - r->side[i].lost - r->left_out[i] - (i == side_of(f));
}

/*
 * Nobody reads yet: if as many chunks are kept as asked for, the oldest makes room. A program that
 * sees keep leaves everything as it is. The reader waits for programs that did not see it.
 */
static __always_inline void ring_overwrite(struct ring_control *r, const struct frame *f)
{
	__u64 number = r->write >> chunk_shift;
	struct ring_counts *n;

	ring_note_full(r, f, number);
	if (READ_ONCE(r->keep) || number + 1 - r->given_back < history_chunks)
		return;
	n = ring_counts(r, r->given_back);
	for (__u32 i = 0; i < SIDES; i++)
		r->overwritten[i] = n->records[i];
	r->free[r->free_count & (RING_CHUNKS_MAX - 1)] = ring_chunk(r, r->given_back)->at;
	r->free_count++;
	r->given_back++;
}

/*
 * Make the reader look at the ring again. A full barrier, which requires the form that returns a
 * value: pairs with the fence of ring_leave() (capture/ring/ring.h). That clears the bit, and then
 * reads what was written before this; so one of the two sees the other.
 */
static __always_inline void ring_stir(const struct ring_control *r)
{
	__u32 number = READ_ONCE(r->number);
	__u64 old = __sync_fetch_and_or(&stirred[number / 64 & (STIRRED_WORDS - 1)],
					1ull << number % 64);

	USED(old);
}

/*
 * Only one of a program and a timer that both find the reader asleep rings the bell. The exchange
 * pairs with that of the other, and with the reader's ring_set_arm().
 */
static __always_inline void ring_bell(struct ring_control *r)
{
	__u64 nothing = 0;

	if (!__sync_lock_test_and_set(&r->need_wakeup, 0))
		return;
	if (periods_unread)
		ring_stir(r); /* the reader that it wakes will ask for the next bell */
	__sync_fetch_and_add(&r->bells, 1);
	bpf_ringbuf_output(&doorbell, &nothing, sizeof(nothing), BPF_RB_FORCE_WAKEUP);
}

/* There is so much to read that the timer would wake the reader too late. */
static __always_inline void ring_wake_early(struct ring_control *r)
{
	if (periods_unread && READ_ONCE(r->need_wakeup) &&
	    r->write - READ_ONCE(r->tail) > wake_above)
		ring_bell(r);
}

/* Go on to another chunk: the one used last, because its lines are in the cache. 0: there is
 * none. */
static __always_inline int ring_next_chunk(struct ring_control *r, const struct frame *f)
{
	__u64 number = r->write >> chunk_shift;

	ring_wake_early(r);
	ring_take_back(r);
	if (history_chunks)
		ring_overwrite(r, f);
	ring_chunk(r, number)->used = r->write & chunk_mask;
	if (r->free_count) {
		r->free_count--;
		r->place = r->free[r->free_count & (RING_CHUNKS_MAX - 1)];
	} else if (r->fresh < ring_mask >> chunk_shift) {
		r->fresh++;
		r->place = r->fresh << chunk_shift;
	} else {
		return 0;
	}
	ring_chunk(r, number + 1)->at = r->place;
	r->write = (number + 1) << chunk_shift;
	return 1;
}

/* Is there room for need more bytes at write? f will be recorded there. */
static __always_inline int ring_reserve(struct ring_control *r, const struct frame *f, __u64 need)
{
	return (r->write & chunk_mask) + need <= chunk_mask || ring_next_chunk(r, f);
}

/* The address of write. */
static __always_inline void *ring_at(struct ring_control *r)
{
	__u64 at = (r->place + (r->write & chunk_mask)) & ring_mask;

	return (void *)r + RING_CONTROL_SIZE + at;
}

/*
 * The record is visible before head: pairs with the reader's ring_published(). xchg is a full
 * barrier, so head is visible before need_wakeup is read. That pairs with ring_set_arm(), which
 * does the reverse: it sets need_wakeup, full barrier, reads the heads; one of the two sees the
 * other. With plain_stores, for CPUs that keep stores in order (capture/ring/ring.h), the timer
 * does what the barrier is for, and this program takes 10 ns less.
 */
static __always_inline void ring_set_head(struct ring_control *r, __u64 head)
{
	__u64 old;

	if (plain_stores) {
		barrier();
		WRITE_ONCE(r->head, head);
		return;
	}
	old = __sync_lock_test_and_set(&r->head, head);
	USED(old);
}

/* Does the reader sleep for something other than what was just recorded? */
static __always_inline int ring_is_awaited(struct ring_control *r, const struct frame *f,
					   __u64 position)
{
	if (!history_chunks || READ_ONCE(r->need_wakeup) != RING_WAKE_PULL)
		return 1;
	if (f->keep != RING_PULLS)
		return 0;
	WRITE_ONCE(r->pulled, position + 1);
	WRITE_ONCE(r->keep, 1);
	return 1;
}

/* Records come again: see timer.bpf.h. */
static __always_inline void ring_start_timer(struct ring_control *r)
{
	__u32 i = ring_number();
	struct ring_timer *t = bpf_map_lookup_elem(&timers, &i);

	WRITE_ONCE(r->timer_runs, 1);
	ring_stir(r); /* the reader finds the record in its order, not only when the timer rings */
	if (t && bpf_timer_start(&t->timer, period_ns, 0) == 0)
		return;
	WRITE_ONCE(r->timer_runs, 0);
	ring_bell(r);
}

/* Publish, and wake a reader that sleeps. f is recorded at position. */
static __always_inline void ring_publish(struct ring_control *r, const struct frame *f,
					 __u64 position)
{
	ring_set_head(r, r->write);
	if (periods_unread) {
		if (__builtin_expect(!READ_ONCE(r->timer_runs), 0))
			ring_start_timer(r);
	} else if (READ_ONCE(r->need_wakeup) && ring_is_awaited(r, f, position)) {
		ring_bell(r);
	}
}

/*
 * Bring the record's place into this CPU's cache before it is written, with one store to each line.
 * The lines are fetched together, while the copy would wait for one after the other, which are in
 * the cache of the reader's CPU or in memory. 1500 bytes: 116 ns become 87. Few lines gain nothing.
 */
static __always_inline void ring_fetch(const struct ring_control *r, void *at, __u64 total)
{
	if (total <= FETCH_ABOVE)
		return;
	FORGET(total, r->nothing); /* so that the loop's bounds do not become bounds of the caller's
				      value */
	for (__u32 i = 0; i < FETCH_LINES_MAX && i * CACHE_LINE < total; i++)
		WRITE_ONCE(*(__u32 *)(at + i * CACHE_LINE), 0); /* total is a multiple of 4 */
}
