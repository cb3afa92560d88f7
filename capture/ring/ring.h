/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The reader's side of the rings, with all atomic accesses that the reader and the capture program
 * share. The program's side is bpf/ring.bpf.h, the layout bpf/layout.h. One thread at a time uses a
 * ring, except for ring_counts().
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
	const uint8_t *end; /* end of the records that follow each other there */
	uint64_t head;	    /* as of the last look */
	/* The chunk that contains position; read once, when the reader enters it. */
	const uint8_t *chunk;
	uint64_t number;   /* 1 + the chunk's number in the order of use; 0: none was entered yet */
	uint64_t first_id; /* packet count of the chunk's first record, in the upper 44 bits */
	uint64_t released; /* the tail that we last stored */
	/* For the exchange of filters: see filter_state.h. */
	uint64_t refine_below;	 /* records below this position may not match the current filter */
	uint64_t distrust_below; /* ... and those below this one do not count as matching, whatever
				    their generation */
	uint64_t adopted_head;	 /* the head when the current filter was adopted */
	/*
	 * The ring contains something that the program does not write: nothing more is read. The
	 * application can write to this memory by mistake, so positions, places and lengths are
	 * read once, and checked against the ring's bounds.
	 */
	bool corrupted;
	bool used; /* it has held a record; for capture/read/merge.c */
	/* What follows is not needed for each run. */
	/* CLOCK_MONOTONIC ns at which the ring was first seen silent, with its timer stopped; 0: it
	 * is not silent. */
	uint64_t silent_since;
	struct ring_control *counted; /* copy of its counters as of the last ring_counts() */
	uint64_t counted_at;	      /* CLOCK_MONOTONIC ns */
};

/* A ring with records to read, and the time of the first of them. */
struct ring_due {
	uint64_t time;
	struct ring *ring;
};

struct ring_set {
	struct ring *ring;
	struct ring_due *due; /* for capture/read/merge.c: room for each ring and socket */
	unsigned count;	      /* rings and sockets */
	unsigned controlled;  /* how many of them are rings, which have a control page; they come
				 first */
	uint64_t size;	      /* bytes of each ring */
	bool big;	      /* chunks have room for frames of more than 64 KiB */
	unsigned chunk_shift; /* log2 of the bytes of a chunk */
	/*
	 * A bit for each ring, shared with the program (bpf/layout.h): the reader does not look at
	 * a ring whose bit is clear. NULL: it looks at all.
	 */
	__u64 *stirred;
	uint64_t hot_ns; /* ns in which RING_HOT bytes of records come; 0: not known, or a long time
			  */
};

/*
 * Bytes. This many unread records are still in the cache of the CPU that wrote them, and later ones
 * go into the same chunks. Half of a level 2 cache of 2 MiB.
 */
#define RING_HOT (1u << 20)

/* Set size, big and chunk_shift. */
void ring_set_init(struct ring_set *s, uint64_t ring_size, bool big);
/*
 * Bytes of a ring in the array map. big: its frames may have more than 64 KiB. Always whole pages
 * (of 4, 16 or 64 KiB), because only these can be mapped.
 */
uint64_t ring_value_size(uint64_t ring_size, bool big);
/* Bytes of a chunk of such a ring. */
uint64_t ring_chunk_size(uint64_t ring_size, bool big);

/* One map of rings for each memory node, in the order of their numbers. */
struct ring_maps {
	uint32_t count;
	uint32_t first[RING_MAPS_MAX]; /* number of its first ring */
	int32_t node[RING_MAPS_MAX];   /* the memory node; -1: any */
};

/* Where the rings are, and how many. */
struct ring_place {
	struct ring_maps maps;
	uint32_t count;
	uint64_t size; /* bytes of each */
};
/* Map the rings in these maps; ring_set_unmap() undoes it. On -errno, nothing is mapped. */
int ring_set_map(struct ring_set *s, const int *maps, const struct ring_place *place);
/* The same for the control pages alone, because mapping and unmapping 64 MiB of rings takes 4
 * ms. */
int ring_set_map_control(struct ring_set *s, const int *maps, const struct ring_place *place);
/* Add a socket, which stays the caller's. Not allowed while a run is being read. Returns 0 or
 * -ENOMEM. */
int ring_set_add(struct ring_set *s, struct xsk *socket);
void ring_set_unmap(struct ring_set *s);
/* Tell the programs the offset between their clock, CLOCK_TAI or CLOCK_MONOTONIC, and
 * CLOCK_REALTIME. */
void ring_set_clock(struct ring_set *s, bool tai);

/*
 * Let recording begin or end at a time of CLOCK_MONOTONIC that is in the future. gates: one of
 * RING_GATE_... Once a beginning has passed, remove the gate with 0 and RING_GATE_NEVER.
 */
void ring_set_gate(const struct ring_set *s, uint32_t gates, uint64_t time);
/* For rings that look corrupted: has another process read one, that is a child of fork() or its
 * parent? */
bool ring_set_has_other(const struct ring_set *s);
/* flags: the directions to leave out, EPB_FLAG_INBOUND, EPB_FLAG_OUTBOUND. */
void ring_set_unwanted(const struct ring_set *s, uint32_t flags);

/* From now on no record is overwritten, except by programs that are already working on a frame. */
void ring_set_keep(const struct ring_set *s);
/* Call it when no such program is left: read on from the oldest record of each ring. */
void ring_set_take_over(struct ring_set *s);
/* Bytes of unread records in a ring that overwrites the oldest ones. */
uint64_t ring_unread(const struct ring_set *s, const struct ring *r);
/*
 * Returns the record for which the filter returned RING_PULLS; NULL: there is none, or the ring is
 * corrupted. It is not overwritten. Pairs with the program's store of pulled, which comes after
 * that of head.
 */
const struct epb_header *ring_pulled(const struct ring_set *s, const struct ring *r);

/* Tell the programs that the reader has looked: now must differ from the last value. */
void ring_set_looked(const struct ring_set *s, uint64_t now);

/*
 * May the capture program publish with plain stores? x86 keeps stores in order, so the reader sees
 * a record before its head. But a store waits in its CPU's store buffer, so the program may read a
 * flag before others can see the head. The timer sees that head later (bpf/timer.bpf.h). If each
 * record rings the bell, later is too late (docs/decisions/0003-plain-stores-on-x86.md).
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

/* Pairs with the program's ring_set_head(): all records below the head are written. */
static inline uint64_t ring_published(const struct ring_control *c)
{
	return __atomic_load_n(&c->head, __ATOMIC_ACQUIRE);
}

static inline uint64_t ring_head(struct ring *r)
{
	return r->socket ? xsk_look(r->socket, r->position) : ring_published(r->control);
}

/* Mark the ring as corrupted. */
static inline void ring_give_up(struct ring *r)
{
	r->corrupted = true;
	r->head = r->position;
}

/* Pairs with the program's read of tail in ring_take_back(): we have read everything below it. */
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
 * The first ring from number i on that the reader has to look at; s->controlled if there is none.
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

/* Look at the ring again. Only the reader itself needs to see this, so it pairs with nothing. */
static inline void ring_stir(const struct ring_set *s, unsigned number)
{
	__atomic_fetch_or(&s->stirred[number / 64], 1ull << number % 64, __ATOMIC_SEQ_CST);
}

/*
 * Stop looking at the ring until the program stirs it. The fence pairs with the program's
 * ring_stir(): either the bit is set after this, or what was written before the bit was set is seen
 * after this.
 */
static inline void ring_leave(const struct ring_set *s, unsigned number)
{
	__atomic_fetch_and(&s->stirred[number / 64], ~(1ull << number % 64), __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/*
 * Ask for the doorbell, on each ring that the reader looks at; the others have already been asked.
 * The fence pairs with the program's xchg of head, which precedes its load of need_wakeup: if a
 * head has not moved after the fence, the program will see the request. It also pairs with the
 * timer's xchg of timer_runs: if that is still set after the fence, the timer will see the request.
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

/* After ring_set_arm(): will the timer see what is unread? */
static inline bool ring_timer_runs(const struct ring *r)
{
	return __atomic_load_n(&r->control->timer_runs, __ATOMIC_RELAXED) != 0;
}

/* After ring_set_arm(): has nobody rung since? */
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
 * Copy the program's counters to *to, and no other members. Counters only grow, and no faster than
 * frames can come: otherwise the ring is corrupted, and *to gets the values of the last call. Any
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
 * Read the head. The ring is corrupted if the head has gone back, is further ahead than the ring is
 * long, or is beyond the program's own write position.
 */
void ring_look(const struct ring_set *s, struct ring *r);
/*
 * After head or position have changed: find the record at position (r->at), and the end of the
 * records that follow it (r->end). At the end of a chunk, position moves on to the next chunk. The
 * record is whole; otherwise the ring is corrupted, and head becomes position.
 */
void ring_find(const struct ring_set *s, struct ring *r);

static inline const struct epb_header *ring_record(const struct ring *r)
{
	return (const void *)r->at;
}

/* Move on by length bytes of records; for a socket, by one record. */
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
	r->at += length; /* ring_find() has checked how far the records there go */
	if (!epb_measure(ring_record(r), r->end, &next))
		ring_give_up(r);
}

/*
 * If the program sets the bits in stirred: ring_set_stir() makes the reader look at all rings for
 * now. ring_set_leave(), after ring_set_arm(), leaves those that have been silent for a while. now:
 * CLOCK_MONOTONIC ns.
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
