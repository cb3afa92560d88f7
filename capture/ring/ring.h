/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The reader's side of the rings, with all that is atomic between the capture program and the
 * reader. The program's side is bpf/ring.bpf.h, the layout bpf/layout.h. One thread at a time uses
 * a ring, but for ring_counts().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "xsk.h"

/*
 * A source of records: a ring of the capture program, where positions count bytes, or with
 * engine=divert a socket, where they count descriptors (xsk.h).
 */
struct ring {
	struct ring_control *control; /* NULL: a socket */
	const uint8_t *data;
	struct xsk *socket;
	uint64_t position;  /* of the next record to read */
	const uint8_t *at;  /* that record, if position != head */
	const uint8_t *end; /* end of the records that lie together there */
	uint64_t head;	    /* as of the last look */
	/* The chunk that position is in; read once, when it was entered. */
	const uint8_t *chunk;
	uint64_t number;   /* 1 + its number in the order of use; 0: none was entered */
	uint64_t first_id; /* packet count of its first record, in the upper 44 bits */
	uint64_t released; /* the tail as we last stored it */
	/* For the exchange of filters, see filter_state.h. */
	uint64_t refine_below;	 /* records below may not match the present filter */
	uint64_t distrust_below; /* ... and below this, whatever their generation */
	uint64_t adopted_head;	 /* head when the present filter was adopted */
	/*
	 * The ring holds something that the program does not write: nothing more is read. The
	 * application can write to this memory by mistake, so positions, places and lengths are
	 * read once, and checked against the ring's bounds.
	 */
	bool corrupted;
	bool used; /* it has held a record: of capture/read/merge.c */
	/* What stands below is not looked at for each run. */
	/* CLOCK_MONOTONIC ns: it was silent then, and its timer did not run; 0: it was not. */
	uint64_t silent_since;
	struct ring_control *counted; /* its counters at the last ring_counts() */
	uint64_t counted_at;	      /* CLOCK_MONOTONIC ns */
};

/* A ring with records to read, by the time of the first of them. */
struct ring_due {
	uint64_t time;
	struct ring *ring;
};

struct ring_set {
	struct ring *ring;
	struct ring_due *due; /* of capture/read/merge.c: room for each ring and socket */
	unsigned count;	      /* rings and sockets */
	unsigned controlled;  /* rings, with a control page: the first ones */
	uint64_t size;	      /* bytes of each ring */
	bool big;	      /* chunks have room for frames of more than 64 KiB */
	unsigned chunk_shift; /* log2 of the bytes of a chunk */
	/*
	 * A bit for each ring, of the program as well (bpf/layout.h): what is cleared is not looked
	 * at. NULL: all are.
	 */
	__u64 *stirred;
	uint64_t hot_ns; /* ns in which RING_HOT bytes of records come; 0: not known, or long */
};

/*
 * Bytes. Up to so many unread records are still in the cache of the CPU that wrote them, and later
 * ones go into the same chunks. Half of a level 2 cache of 2 MiB.
 */
#define RING_HOT (1u << 20)

/* Set size, big and chunk_shift. */
void ring_set_init(struct ring_set *s, uint64_t ring_size, bool big);
/*
 * Bytes of a ring in the array map, whose frames may be big, of more than 64 KiB: whole pages, of
 * 4, 16 or 64 KiB, as only these can be mapped.
 */
uint64_t ring_value_size(uint64_t ring_size, bool big);
/* Bytes of a chunk of it. */
uint64_t ring_chunk_size(uint64_t ring_size, bool big);

/* A map for the rings of each node of memory, in the order of their numbers. */
struct ring_maps {
	uint32_t count;
	uint32_t first[RING_MAPS_MAX]; /* number of its first ring */
	int32_t node[RING_MAPS_MAX];   /* of memory; -1: any */
};

/* Where rings lie, and how many there are. */
struct ring_place {
	struct ring_maps maps;
	uint32_t count;
	uint64_t size; /* bytes of each */
};
/* Map the rings of these maps, until ring_set_unmap(). -errno, and nothing is mapped. */
int ring_set_map(struct ring_set *s, const int *maps, const struct ring_place *place);
/* The same for the control pages alone: 64 MiB of rings take 4 ms to map and to unmap. */
int ring_set_map_control(struct ring_set *s, const int *maps, const struct ring_place *place);
/* Add a socket, which stays the caller's; not while a run is being read. -ENOMEM. */
int ring_set_add(struct ring_set *s, struct xsk *socket);
void ring_set_unmap(struct ring_set *s);
/* Give the programs the offset of CLOCK_REALTIME to their clock, CLOCK_TAI or CLOCK_MONOTONIC. */
void ring_set_clock(struct ring_set *s, bool tai);

/*
 * Recording begins or ends at a time of CLOCK_MONOTONIC, which is still to come: gates is one of
 * RING_GATE_... Once a beginning has passed, take it away with 0 and RING_GATE_NEVER.
 */
void ring_set_gate(const struct ring_set *s, uint32_t gates, uint64_t time);
/* Of rings that look corrupted: has another process read one, a child of fork() or its parent? */
bool ring_set_has_other(const struct ring_set *s);
/* EPB_FLAG_INBOUND, EPB_FLAG_OUTBOUND: directions to leave out. */
void ring_set_unwanted(const struct ring_set *s, uint32_t flags);

/* From now on no record is overwritten, except by programs that are at work on a frame. */
void ring_set_keep(const struct ring_set *s);
/* When no such program is left: read from the oldest record of each ring on. */
void ring_set_take_over(struct ring_set *s);
/* Bytes of unread records in a ring that overwrites the oldest. */
uint64_t ring_unread(const struct ring_set *s, const struct ring *r);
/*
 * The record for which the filter returned RING_PULLS; NULL: none, or corrupted. It is not
 * overwritten. Pairs with the program's store of pulled, which comes behind that of head.
 */
const struct epb_header *ring_pulled(const struct ring_set *s, const struct ring *r);

/* Tell the programs that the reader has looked: now differs from the last value. */
void ring_set_looked(const struct ring_set *s, uint64_t now);

/*
 * May the capture program publish with plain stores? x86 keeps their order, so the reader sees a
 * record before its head. But a store waits in its CPU, so the program may read a flag before
 * others can see the head: the timer sees it later (bpf/timer.bpf.h). Where each record rings the
 * bell, that would be too late (docs/decisions/0003-plain-stores-on-x86.md).
 */
static inline bool ring_stores_are_plain(bool has_timer)
{
#ifdef __x86_64__
	return has_timer;
#else
	(void)has_timer;
	return false;
#endif
}

/* Pairs with the program's ring_set_head(): everything below it is written. */
static inline uint64_t ring_published(const struct ring_control *c)
{
	return __atomic_load_n(&c->head, __ATOMIC_ACQUIRE);
}

static inline uint64_t ring_head(struct ring *r)
{
	return r->socket ? xsk_look(r->socket, r->position) : ring_published(r->control);
}

/* The ring is corrupted. */
static inline void ring_give_up(struct ring *r)
{
	r->corrupted = true;
	r->head = r->position;
}

/* Pairs with the program's read of tail in ring_take_back(): we have read all below it. */
static inline void ring_release(struct ring *r)
{
	if (r->released == r->position)
		return;
	if (r->socket) {
		r->released = r->position;
		xsk_release(r->socket, r->position);
		return;
	}
	if (__atomic_load_n(&r->control->tail, __ATOMIC_RELAXED) != r->released) {
		ring_give_up(r); /* the program may have written over what we were reading */
		return;
	}
	r->released = r->position;
	__atomic_store_n(&r->control->tail, r->position, __ATOMIC_RELEASE);
}

/*
 * The first ring from number i on that is to be looked at; count: there is none.
 * Pairs with the program's ring_stir(): what came before the bit was set is seen.
 */
static inline unsigned ring_set_next(const struct ring_set *s, unsigned i)
{
	uint64_t bits = 0;

	while (s->stirred && i < s->controlled && !bits) {
		bits = __atomic_load_n(&s->stirred[i / 64], __ATOMIC_ACQUIRE) >> i % 64;
		i = bits ? i + (unsigned)__builtin_ctzll(bits) : i / 64 * 64 + 64;
		i = i > s->controlled ? s->controlled : i;
	}
	return i;
}

/* The ring is looked at again. The reader is alone with this: it pairs with nothing. */
static inline void ring_stir(const struct ring_set *s, unsigned number)
{
	__atomic_fetch_or(&s->stirred[number / 64], 1ull << number % 64, __ATOMIC_SEQ_CST);
}

/*
 * Look at the ring no more, until it is stirred. The fence pairs with the program's ring_stir():
 * either the bit is set behind this, or what was written before it was set is seen behind this.
 */
static inline void ring_leave(const struct ring_set *s, unsigned number)
{
	__atomic_fetch_and(&s->stirred[number / 64], ~(1ull << number % 64), __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/*
 * Ask for the doorbell, on each ring that is looked at; the others have been asked. The fence pairs
 * with the program's xchg of head, which comes before its load of need_wakeup: where a head has not
 * moved after the fence, the program will see the request. It pairs with the timer's xchg of
 * timer_runs, too: where that is still set after the fence, the timer will see the request.
 */
static inline void ring_set_arm(const struct ring_set *s)
{
	for (unsigned i = ring_set_next(s, 0); i < s->controlled; i = ring_set_next(s, i + 1)) {
		struct ring_control *r = s->ring[i].control;

		__atomic_store_n(&r->awaited, s->ring[i].position, __ATOMIC_RELAXED);
		__atomic_store_n(&r->need_wakeup, RING_WAKE_ANY, __ATOMIC_RELEASE);
	}
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Behind ring_set_arm(): will the timer see what is unread? */
static inline bool ring_timer_runs(const struct ring *r)
{
	return __atomic_load_n(&r->control->timer_runs, __ATOMIC_RELAXED) != 0;
}

/* Behind ring_set_arm(): did nobody ring since? */
static inline bool ring_is_armed(const struct ring *r)
{
	return __atomic_load_n(&r->control->need_wakeup, __ATOMIC_RELAXED) != 0;
}

static inline void ring_disarm(struct ring *r)
{
	__atomic_store_n(&r->control->need_wakeup, 0, __ATOMIC_RELAXED);
}

static inline uint64_t ring_counter(const __u64 *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

/*
 * Copy the program's counters to *to, and nothing else there. Counters only grow, and no faster
 * than frames can come: else the ring is corrupted, and *to gets the values of the last call. Any
 * thread may call it.
 */
void ring_counts(struct ring *r, struct ring_control *to);
/* Add this page's counters to *s. */
void ring_count(const struct ring_control *r, struct afxdp_stats *s);

/* How far head can be ahead of tail. */
static inline uint64_t ring_room(const struct ring_set *s, const struct ring *r)
{
	return r->socket ? r->socket->buffer_count : s->size;
}

/*
 * Read the head. The ring is corrupted if head went back, lies further than the ring is long, or
 * beyond the program's own write position.
 */
void ring_look(const struct ring_set *s, struct ring *r);
/*
 * After head or position have changed: find the record at position (at), and the end of those
 * behind it (end). At the end of a chunk position moves on to the next one. The record is whole;
 * else the ring is corrupted, and head becomes position.
 */
void ring_find(const struct ring_set *s, struct ring *r);

static inline const struct epb_header *ring_record(const struct ring *r)
{
	return (const void *)r->at;
}

/* Go on behind length bytes of records; of a socket, one record. */
static inline void ring_advance(const struct ring_set *s, struct ring *r, uint64_t length)
{
	uint64_t there = (uint64_t)(r->end - r->at);
	struct epb_lengths next;

	if (length > there) {
		ring_give_up(r);
		return;
	}
	r->position += !r->socket ? length : length ? r->socket->taken : 0;
	if (r->socket || length == there) {
		ring_find(s, r);
		return;
	}
	r->at += length; /* ring_find() has seen how far the records there go */
	if (!epb_measure(ring_record(r), r->end, &next))
		ring_give_up(r);
}

/*
 * Where stirred has the program's bits: look at all rings, for now. And behind ring_set_arm(),
 * leave those that have been silent for a while. now: CLOCK_MONOTONIC ns.
 */
void ring_set_stir(const struct ring_set *s);
void ring_set_leave(const struct ring_set *s, uint64_t now);

/* Is there a record that the reader has not seen? True for a socket with impossible indices. */
static inline bool ring_has_more(const struct ring *r)
{
	if (r->corrupted)
		return false;
	return r->socket ? xsk_has(r->socket, r->position)
			 : ring_published(r->control) != r->position;
}
