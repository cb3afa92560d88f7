/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The reader's side of the rings. Everything atomic between the capture program and the reader is
 * here; the other side is bpf/ring.bpf.h.
 */
#ifndef PCAP_AFXDP_RING_H
#define PCAP_AFXDP_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "xsk.h"

/*
 * Where records come from: a ring of the capture program, or with engine=divert a socket, whose
 * positions count descriptors and not bytes (xsk.h).
 */
struct ring {
	struct ring_control *control; /* NULL: a socket */
	const uint8_t *data;
	struct xsk *socket;
	uint64_t position;  /* of the next record to hand out */
	const uint8_t *at;  /* that record, where position != head */
	const uint8_t *end; /* of the records that lie together there */
	uint64_t head;	    /* as of the last look */
	/* Of the chunk that position is in; read once, when it was entered. */
	const uint8_t *chunk;
	uint64_t number;    /* in the order of use, and 1; 0: none was entered */
	uint64_t first_id;  /* of its first record: what a packet id is without the CPU */
	uint64_t released;  /* the tail as we last stored it */
	uint64_t next_time; /* of the record at position, where position != head */
	/* For the exchange of filters, see filter_state.h. */
	uint64_t refine_below;	 /* records below may not be the present filter's choice */
	uint64_t distrust_below; /* ... and below this, whatever generation they bear */
	uint64_t adopted_head;	 /* when the present filter was adopted */
	/*
	 * Something is in it that the program does not write. The memory is the application's to
	 * write: positions, places and lengths are read once, checked, and believed no further than
	 * the ring goes. Nothing more is read then.
	 */
	bool corrupted;
	struct ring_control *counted; /* its counters when they were asked for last */
	uint64_t counted_at;	      /* CLOCK_MONOTONIC ns */
};

struct ring_set {
	struct ring *ring;
	unsigned count;	      /* all of them */
	unsigned controlled;  /* of these, with a control page, not sockets: the first ones */
	uint64_t size;	      /* of each */
	unsigned chunk_shift; /* log2 of the size of a chunk */
	uint64_t hot_ns; /* time in which RING_HOT bytes of records come; 0: not known, or long */
};

/*
 * Records that are read before there are so many of them are still in the cache of the CPU that
 * wrote them, and the next go into the same chunks. Half of a level 2 cache of 2 MiB.
 */
#define RING_HOT (1u << 20)

/* For rings of this size. */
void ring_set_init(struct ring_set *s, uint64_t ring_size);
/* Map the rings of the array map fd. -errno, and nothing mapped. */
int ring_set_map(struct ring_set *s, int fd, unsigned count, uint64_t ring_size);
/* The control pages alone: 64 MiB more take 4 ms to map and to unmap. Otherwise the same. */
int ring_set_map_control(struct ring_set *s, int fd, unsigned count, uint64_t ring_size);
/* A socket as one more ring; there must be no run at hand. -errno. */
int ring_set_add(struct ring_set *s, struct xsk *socket);
void ring_set_unmap(struct ring_set *s);
/* Have the programs convert their clock, CLOCK_TAI or CLOCK_MONOTONIC, as it stands now. */
void ring_set_clock(struct ring_set *s, bool tai);

/* EPB_FLAG_INBOUND, EPB_FLAG_OUTBOUND: directions to leave out. */
void ring_set_unwanted(const struct ring_set *s, uint32_t flags);

/* From now on no record makes room for another, but for a program that is at work on a frame. */
void ring_set_keep(const struct ring_set *s);
/* When there is none: the oldest record of each ring is the next to read. */
void ring_set_take_over(struct ring_set *s);
/* Bytes of records that nobody has read, where a program may make room for others. */
uint64_t ring_unread(const struct ring_set *s, const struct ring *r);
/*
 * The record for which the filter said RING_PULLS; NULL: none, or it lies where no record can. It
 * stays, as its ring keeps everything since. Pairs with the program's store of pulled, which comes
 * behind that of head.
 */
const struct epb_header *ring_pulled(const struct ring_set *s, const struct ring *r);

/* Tell the programs that the reader has looked: now is not what it was before. */
void ring_set_looked(const struct ring_set *s, uint64_t now);

/*
 * May the capture program publish with plain stores? x86 keeps them in order, so that a record is
 * seen before its head. But a head can be seen after need_wakeup was read, by the time that a store
 * waits in its CPU: before it sleeps, the reader looks again after RING_SETTLE_NS. In immediate
 * mode that would be late.
 */
#define RING_SETTLE_NS 1000000 /* stores wait less than a microsecond */
static inline bool ring_stores_are_plain(bool immediate)
{
#ifdef __x86_64__
	return !immediate;
#else
	(void)immediate;
	return false;
#endif
}

/* Pairs with the program's store or xchg of head: what is below it is written. */
static inline uint64_t ring_head(struct ring *r)
{
	if (r->socket)
		return xsk_look(r->socket, r->position);
	return __atomic_load_n(&r->control->head, __ATOMIC_ACQUIRE);
}

/* It is corrupted. */
static inline void ring_give_up(struct ring *r)
{
	r->corrupted = true;
	r->head = r->position;
}

/* Pairs with the program's read of tail in ring_reserve(): we have read all below it. */
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
 * Ask for the doorbell. After the fence, a head that still has not moved means that the program
 * will see need_wakeup when it does: it publishes head by xchg before it reads the flag. With plain
 * stores that holds for a head that has not moved RING_SETTLE_NS later.
 */
static inline void ring_arm(struct ring *r)
{
	__atomic_store_n(&r->control->need_wakeup, RING_WAKE_ANY, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
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
 * What the program has counted, into the counters of *to, and nothing else there. They only grow,
 * and no faster than frames come: where they do not, the ring is corrupted, and what was known
 * before stays. From any thread.
 */
void ring_counts(struct ring *r, struct ring_control *to);
/* What the program has counted in this page goes on top of *s. */
void ring_count(const struct ring_control *r, struct afxdp_stats *s);

/* The most that head can be ahead of tail. */
static inline uint64_t ring_room(const struct ring_set *s, const struct ring *r)
{
	return r->socket ? r->socket->buffer_count : s->size;
}

/*
 * Read the head. What lies between it and position has been written: where it cannot have been, or
 * the program says that it has not come so far, the ring is corrupted.
 */
void ring_look(const struct ring_set *s, struct ring *r);
/*
 * After head or position were changed: find the record at position, and the end of those that lie
 * behind it. Where position is the end of its chunk, it goes on to the next, which there is when
 * head is beyond. The record is whole, or the ring is corrupted and position is head.
 */
void ring_find(const struct ring_set *s, struct ring *r);

/* Go on behind length bytes of records. */
static inline void ring_advance(const struct ring_set *s, struct ring *r, uint64_t length)
{
	if (length > (uint64_t)(r->end - r->at)) {
		ring_give_up(r);
		return;
	}
	r->position += !r->socket ? length : length ? r->socket->taken : 0;
	ring_find(s, r);
}

static inline bool ring_has_more(const struct ring *r)
{
	if (r->corrupted)
		return false;
	return r->socket ? xsk_has(r->socket, r->position)
			 : __atomic_load_n(&r->control->head, __ATOMIC_ACQUIRE) != r->position;
}

static inline const struct epb_header *ring_record(const struct ring *r)
{
	return (const void *)r->at;
}

#endif
