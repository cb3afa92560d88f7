/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A ring: the program publishes records, and the reader gives chunks back. Mirrors bpf/ring.bpf.h
 * (ring_take_back, ring_next_chunk, ring_set_head), ring.h (ring_release) and walk.c (find, without
 * its checks), name by name. A unit of a chunk is a byte here.
 *
 * Shown: the reader gets each published record whole, once and in order, whatever the sizes of
 * records, and whenever it reads and releases; nothing is written where the reader has not been;
 * and every record that came was read or counted as lost.
 *
 * -DXCHG: the program publishes by xchg; else by plain stores. -DWEAK: see stores.pml. -DBUG_...:
 * bugs that the model must find.
 */
#define PROGRAM 0
#define READER	1
#define CPUS	2
#define DEPTH	4

/* Chunks of one record; or fewer chunks of three units, for records of one or two, with gaps at the
 * end. */
#ifdef LONG_CHUNKS
#define CHUNKS	2
#define SHIFT	2
#define RECORDS 6
#define CELLS	14
#else
#define CHUNKS	4
#define SHIFT	1
#define RECORDS 7
#define CELLS	18
#endif
#define UNITS	      (1 << SHIFT)
#define MASK	      (UNITS - 1)
#define TAKE_BACK_MAX 2

/* Spin needs sizes as plain numbers: CELLS is TAIL + 1. */
#define DATA 0
#define AT   (CHUNKS * UNITS)
#define USED (AT + CHUNKS)
#define HEAD (USED + CHUNKS)
#define TAIL (HEAD + 1)
#include "stores.pml"

byte published, lost;
bit done;

/* The table of chunks: only the program writes it, so the program sees what it wrote. */
#define chunk(number) ((number) & (CHUNKS - 1))

active proctype program()
{
	byte write, place, given_back, fresh, free_count, free[CHUNKS];
	byte number, size, i, tail, at;
	bit room;
#ifdef BUG_USED_LATE
	byte left;
#endif

	run drain(PROGRAM);
	do
	:: number == RECORDS -> break
	:: else ->
		number++;
		if
		:: size = 1
		:: MASK > 1 -> size = 2
		fi;
		/* ring_reserve() */
		room = (write & MASK) + size <= MASK;
		if
		:: room
		:: else ->
			load(PROGRAM, TAIL, tail);
			tail = tail >> SHIFT;
			i = 0;
			do
			:: i < TAKE_BACK_MAX && given_back < tail ->
				load(PROGRAM, AT + chunk(given_back), at);
				free[free_count] = at;
				free_count++;
				given_back++;
				i++
			:: else -> break
			od;
#ifdef BUG_USED_LATE
			left = write & MASK;
#else
			store(PROGRAM, USED + chunk(write >> SHIFT), write & MASK);
#endif
			if
			:: free_count ->
				free_count--;
				place = free[free_count];
				free[free_count] = 0;
				room = 1
			:: else ->
				if
				:: fresh < CHUNKS - 1 ->
					fresh++;
					place = fresh << SHIFT;
					room = 1
				:: else
				fi
			fi;
			if
			:: room ->
				store(PROGRAM, AT + chunk((write >> SHIFT) + 1), place);
				write = ((write >> SHIFT) + 1) << SHIFT
			:: else
			fi
		fi;
		i = 0; tail = 0; at = 0;
		if
		:: room ->
#ifdef BUG_HEAD_FIRST
			store(PROGRAM, HEAD, write + size);
#endif
			do
			:: i < size ->
				store(PROGRAM, DATA + place + (write & MASK) + i, number * 4 + size);
				i++
			:: else -> break
			od;
			i = 0;
			write = write + size;
#ifdef XCHG
			exchange(PROGRAM, HEAD, write);
#else
			store(PROGRAM, HEAD, write);
#endif
#ifdef BUG_USED_LATE
			if
			:: left -> store(PROGRAM, USED + chunk((write >> SHIFT) - 1), left)
			:: else
			fi;
			left = 0;
#endif
			published++
		:: else -> lost++
		fi;
		room = 0; size = 0
	od;
	fence(PROGRAM);
	done = 1
}

active proctype reader()
{
	byte position, head, last, read, used, at, unit, size, i;
	bit ended;

	run drain(READER);
	do
	:: ended = done;
		load(READER, HEAD, head);
		do
		:: position != head ->
			/* find() */
			load(READER, USED + chunk(position >> SHIFT), used);
			if
			:: position >> SHIFT != head >> SHIFT && (position & MASK) == used ->
				position = ((position >> SHIFT) + 1) << SHIFT
			:: else
			fi;
			used = 0;
			load(READER, AT + chunk(position >> SHIFT), at);
#ifdef BUG_TAIL_FIRST
			store_release(READER, TAIL, position + UNITS);
#endif
			load(READER, DATA + at + (position & MASK), unit);
			size = unit & 3;
			assert(size > 0 && unit >> 2 > last);
			i = 1;
			do
			:: i < size ->
				load(READER, DATA + at + (position & MASK) + i, used);
				assert(used == unit);
				used = 0;
				i++
			:: else -> break
			od;
			last = unit >> 2;
			position = position + size;
			read++;
			i = 0; unit = 0; size = 0; at = 0;
			if
			:: store_release(READER, TAIL, position)
			:: skip /* later */
			fi
		:: else -> break
		od;
		if
		:: ended -> break
		:: else
		fi
	od;
	assert(read == published && read + lost == RECORDS)
}
