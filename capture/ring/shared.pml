/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The ring that CPUs without a ring of their own share: programs on two CPUs take turns, by an
 * exchange of busy. Mirrors bpf/capture.bpf.h (take_turn, capture, end_turn) and bpf/ring.bpf.h
 * (ring_set_head), name by name. Chunks are left out: chunks.pml has them, with one program.
 *
 * Shown: the reader gets each published record whole, once, and those of a CPU in their order; each
 * program finds the ring as the other one has left it; and every frame that came was read, or is
 * counted as lost, or as not having had a turn.
 *
 * -DXCHG: programs publish by xchg; else by plain stores. -DWEAK: see stores.pml. -DBUG_...: bugs
 * that the model must find.
 */
#define PROGRAMS 2
#define READER	 2
#define CPUS	 3
#define DEPTH	 4
#define RECORDS	 2 /* number of frames on each CPU */
#define TRIES	 2

/* Spin needs sizes as plain numbers. */
#define DATA  0
#define BUSY  4
#define WRITE 5
#define LOST  6
#define HEAD  7
#define CELLS 8
#include "stores.pml"

byte published, lost, lost_reentry, done;

inline take_turn()
{
#ifdef BUG_LOOKS_FIRST
	/* As if only programs of one CPU used the ring. */
	load(cpu, BUSY, busy);
	if
	:: busy
	:: else -> store(cpu, BUSY, 1)
	fi
#else
	tries = 0; busy = 1;
	do
	:: busy && tries < TRIES ->
		atomic {
			buffer[cpu].count == 0;
			busy = memory[BUSY];
			memory[BUSY] = 1
		};
		tries++
	:: else -> break
	od;
	tries = 0
#endif
}

inline end_turn()
{
#ifdef BUG_PLAIN_END
	store(cpu, BUSY, 0)
#else
	exchange(cpu, BUSY, 0)
#endif
}

proctype program(byte cpu)
{
	byte number, at, tries;
	bit busy;

	run drain(cpu);
	do
	:: number == RECORDS -> break
	:: else ->
		number++;
		take_turn();
		if
		:: busy -> atomic { lost_reentry++ }
		:: else ->
			if
			:: load(cpu, WRITE, at);
				store(cpu, DATA + at, cpu * RECORDS + number);
				store(cpu, WRITE, at + 1);
#ifdef XCHG
				exchange(cpu, HEAD, at + 1);
#else
				store(cpu, HEAD, at + 1);
#endif
				atomic { published++ }
			:: load(cpu, LOST, at); /* there is no free chunk */
				store(cpu, LOST, at + 1);
				atomic { lost++ }
			fi;
			at = 0;
			end_turn()
		fi;
		busy = 0
	od;
	fence(cpu);
	atomic { done++ }
}

active proctype reader()
{
	byte position, head, record, last[PROGRAMS];
	bit ended;

	run program(0);
	run program(1);
	do
	:: ended = done == PROGRAMS;
		load(READER, HEAD, head);
		do
		:: position < head ->
			load(READER, DATA + position, record);
			assert(record > 0);
			assert(record > last[(record - 1) / RECORDS]);
			last[(record - 1) / RECORDS] = record;
			record = 0;
			position++
		:: else -> break
		od;
		if
		:: ended -> break
		:: else
		fi
	od;
	assert(position == published && memory[LOST] == lost);
	assert(position + lost + lost_reentry == PROGRAMS * RECORDS)
}
