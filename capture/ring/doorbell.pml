/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Programs on two CPUs, or with -DTIMER one and its timer, ring one doorbell, and the reader
 * sleeps. Mirrors ring_publish(), ring_bell() (bpf/ring.bpf.h) and on_timer() (bpf/timer.bpf.h),
 * ring_set_arm() and ring_disarm() (ring.h), and sleep_by_bell(), rest_by_bell() and is_due()
 * (../read/wait.c); with -DLEAVES also ring_stir() of bpf/ring.bpf.h, and ring_leave() and
 * ring_set_leave() (ring.h, ring.c).
 *
 * Shown: the reader reads every record although its sleep has no time limit. If a wake-up is lost,
 * it sleeps forever, which Spin reports as an invalid end state.
 *
 * Each record rings for a reader that sleeps; with -DTIMER the timer does, and programs only now
 * and then, as they do when a ring fills. -DXCHG: programs publish by xchg, else by plain stores.
 * -DSELECTS: the reader sleeps in select(), and keeps asking for the bell while it reads. -DLEAVES,
 * with -DTIMER: the reader stops looking at a ring that is silent, until it stirs. -DBUG_...: bugs
 * that the model must find.
 */
#ifdef TIMER
#define PROGRAMS 1
#else
#define PROGRAMS 2
#endif
#define RECORDS	 2
#define READER	 PROGRAMS
#define CPUS	 (PROGRAMS + 1)
#define DEPTH	 4

#define HEAD(i)	   (i)
#define NEED(i)	   (PROGRAMS + (i))
#define AWAITED(i) (2 * PROGRAMS + (i))
#define RUNS(i)	   (3 * PROGRAMS + (i))
#define STIRRED(i) (4 * PROGRAMS + (i))
#define CELLS	   (5 * PROGRAMS)
#include "stores.pml"

/* Entries of the BPF ring buffer: its lock is a full barrier. */
byte bell;
/* Sleeps that end for another reason: a signal, or a link that changes. */
byte other_wakes = 1;
/* The timer will run. mark: it waits until what its program's CPU had stored by then has gone
 * out. */
bit pending[PROGRAMS];
byte mark[PROGRAMS];

/* A full barrier; old gets what was there. buffer. */
inline swap(cpu, a, v, old)
{
	atomic {
		buffer[cpu].count == 0;
		old = memory[a];
		memory[a] = v
	}
}

inline ring_bell(cpu)
{
#ifdef BUG_BELL_FIRST
	atomic { fence(cpu); bell++ };
	store(cpu, NEED(cpu), 0)
#else
	swap(cpu, NEED(cpu), 0, old);
	if
	:: old ->
#if defined(LEAVES) && !defined(BUG_NO_STIR)
		exchange(cpu, STIRRED(cpu), 1);
#endif
		bell++
	:: else
	fi;
	old = 0
#endif
}

proctype program(byte cpu)
{
	byte record, flag;
	bit old;

	do
	:: record == RECORDS -> break
	:: else ->
		record++;
#ifdef XCHG
		exchange(cpu, HEAD(cpu), record);
#else
		store(cpu, HEAD(cpu), record);
#endif
#ifdef TIMER
		load(cpu, RUNS(cpu), flag);
		if
		:: flag
		:: else ->
			store(cpu, RUNS(cpu), 1);
#ifdef LEAVES
			exchange(cpu, STIRRED(cpu), 1);
#endif
			atomic { fence(cpu); pending[cpu] = 1 } /* bpf_timer_start() takes a lock */
		fi;
		if
		:: load(cpu, NEED(cpu), flag);
			if
			:: flag -> ring_bell(cpu)
			:: else
			fi
		:: skip
		fi;
#else
		load(cpu, NEED(cpu), flag);
		if
		:: flag -> ring_bell(cpu)
		:: else
		fi;
#endif
		flag = 0
	od
}

/* On any CPU, and what it stores is behind a lock. A period is longer than a store waits. */
proctype timer(byte i)
{
	byte head, awaited, seen;
	bit asleep, idle, old;

end:	do
	:: atomic { pending[i] && buffer[i].drained >= mark[i] -> pending[i] = 0 };
		asleep = memory[NEED(i)];
		awaited = memory[AWAITED(i)];
		head = memory[HEAD(i)];
		idle = head == seen;
		seen = head;
		if
		:: asleep && head != awaited ->
			atomic { old = memory[NEED(i)]; memory[NEED(i)] = 0 };
			if
			:: old ->
#if defined(LEAVES) && !defined(BUG_NO_STIR)
				memory[STIRRED(i)] = 1;
#endif
				bell++
			:: else
			fi
		:: !asleep || head == awaited || !idle /* no record has waited long enough */
		fi;
		old = 0;
		if
		:: idle ->
			atomic { old = memory[RUNS(i)]; memory[RUNS(i)] = 0 }
#ifdef BUG_NO_LAST_LOOK
			old = 0
#endif
		:: else -> old = 1
		fi;
		if
		:: old -> d_step { mark[i] = buffer[i].stored; pending[i] = 1 }
		:: else
		fi;
		old = 0;
		asleep = 0;
		awaited = 0;
		head = 0
	od
}

/* May the reader look at the ring? */
inline ask_stirred()
{
#ifdef LEAVES
	load(READER, STIRRED(i), stirred)
#else
	stirred = 1
#endif
}

inline arm()
{
	for (i : 0 .. PROGRAMS - 1) {
		ask_stirred();
		if
		:: stirred ->
			store(READER, AWAITED(i), read[i]);
			store_release(READER, NEED(i), 1)
		:: else
		fi
	}
	stirred = 0;
	i = 0
#ifndef BUG_NO_FENCE
	;
	fence(READER)
#endif
}

inline disarm()
{
#ifndef TIMER
	for (i : 0 .. PROGRAMS - 1) {
		store(READER, NEED(i), 0)
	}
	i = 0;
#endif
	bell = 0 /* empty_doorbell(), which does not wait for stores */
}

inline ask_silent()
{
	load(READER, HEAD(i), value);
	silent = value == read[i];
	load(READER, RUNS(i), value);
	silent = silent && !value;
#ifndef BUG_LEAVES_UNARMED
	load(READER, NEED(i), value);
	silent = silent && value;
#endif
	value = 0
}

/* This may happen at any time, because the model has no clock. */
inline leave()
{
#ifdef LEAVES
	for (i : 0 .. PROGRAMS - 1) {
		ask_stirred();
		ask_silent();
		if
		:: stirred && silent ->
			exchange(READER, STIRRED(i), 0);
#ifndef BUG_NO_SECOND_LOOK
			ask_silent();
			if
			:: silent
			:: else -> exchange(READER, STIRRED(i), 1)
			fi
#endif
		:: skip
		fi;
		silent = 0
	}
	stirred = 0;
	i = 0
#else
	skip
#endif
}

/* Is there a record that was not read, and for which nobody will wake the reader? */
inline look(found)
{
	found = 0;
	for (i : 0 .. PROGRAMS - 1) {
		ask_stirred();
		load(READER, HEAD(i), value);
		if
		:: stirred && value != read[i] ->
#if defined(TIMER) && !defined(BUG_NO_DUE)
			load(READER, RUNS(i), value);
			found = found || !value
#elif defined(TIMER)
			skip
#else
			found = 1
#endif
		:: else
		fi;
		value = 0
	}
	stirred = 0;
	i = 0
}

proctype reader()
{
	byte read[PROGRAMS], value, i;
	bit found, all, stirred, silent;

	do
	:: all = 1;
		for (i : 0 .. PROGRAMS - 1) {
			ask_stirred();
			load(READER, HEAD(i), value);
			read[i] = (stirred -> value : read[i]);
			all = all && read[i] == RECORDS;
			value = 0
		}
		stirred = 0;
		i = 0;
		if
		:: all -> break
		:: else
		fi;
#ifdef SELECTS
#ifndef BUG_EMPTY_LATE
		bell = 0;
#endif
#endif
		arm();
#ifdef BUG_EMPTY_LATE
		bell = 0;
#endif
		leave();
		look(found);
		if
		:: found
		:: else ->
			if
			:: bell > 0
			:: other_wakes > 0 -> other_wakes--
			fi
		fi;
#ifdef SELECTS
		if
		:: found -> disarm() /* it is readable without a bell */
		:: else
		fi;
#else
		disarm();
#endif
		found = 0
	od
}

init
{
	atomic {
#ifdef LEAVES
		memory[STIRRED(0)] = 1;
#endif
		run drain(0);
		run program(0);
#ifdef TIMER
		run timer(0);
#else
		run drain(1);
		run program(1);
#endif
		run drain(READER);
		run reader()
	}
}
