/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Programs on two CPUs ring one doorbell, and the reader sleeps. Mirrors ring_publish()
 * (bpf/ring.bpf.h), ring_set_arm() and ring_disarm() (ring.h), and sleep_by_bell() and arm()
 * (../read/wait.c).
 *
 * Shown: the reader reads every record without a limit to its sleep. A wake-up that is lost leaves
 * it asleep for ever, which Spin reports as an invalid end state.
 *
 * -DXCHG: the programs publish by xchg, and the reader does not look a second time; else by plain
 * stores, and it does. -DBUG_...: what the model has to find.
 */
#define PROGRAMS 2
#define READER	 2
#define CPUS	 3
#define DEPTH	 3
#define RECORDS	 2

#define HEAD(i) (i)
#define NEED(i) (PROGRAMS + (i))
#define CELLS	4
#include "stores.pml"

/* Entries of the BPF ring buffer: its lock is a full barrier. */
byte bell;
/* Sleeps that end for other reasons: a timer, a signal, a link that changes. */
byte other_wakes = 1;

proctype program(byte cpu)
{
	byte record, need;

	do
	:: record == RECORDS -> break
	:: else ->
		record++;
#ifdef XCHG
		exchange(cpu, HEAD(cpu), record);
#else
		store(cpu, HEAD(cpu), record);
#endif
		load(cpu, NEED(cpu), need);
		if
		:: need ->
#ifdef BUG_BELL_FIRST
			atomic { fence(cpu); bell++ };
			store(cpu, NEED(cpu), 0)
#else
			store(cpu, NEED(cpu), 0);
			atomic { fence(cpu); bell++ }
#endif
		:: else
		fi;
		need = 0
	od
}

inline arm()
{
	for (i : 0 .. PROGRAMS - 1) {
		store(READER, NEED(i), 1)
	}
	i = 0
#ifndef BUG_NO_FENCE
	;
	fence(READER)
#endif
}

inline disarm()
{
	for (i : 0 .. PROGRAMS - 1) {
		store(READER, NEED(i), 0)
	}
	i = 0;
	bell = 0 /* empty_doorbell(), which waits for no store */
}

/* Is there a record that was not read? */
inline look(found)
{
	found = 0;
	for (i : 0 .. PROGRAMS - 1) {
		load(READER, HEAD(i), head);
		found = found || head != read[i];
		head = 0
	}
	i = 0
}

proctype reader()
{
	byte read[PROGRAMS], mark[PROGRAMS], head, i;
	bit found;

	do
	:: read[0] == RECORDS && read[1] == RECORDS -> break
	:: else ->
		for (i : 0 .. PROGRAMS - 1) {
			load(READER, HEAD(i), head);
			read[i] = head;
			head = 0
		}
		i = 0;
		if
		:: read[0] == RECORDS && read[1] == RECORDS -> break
		:: else
		fi;
		arm();
		look(found);
#if !defined(XCHG) && !defined(BUG_ONE_LOOK)
		if
		:: found
		:: else ->
			/* RING_SETTLE_NS: what waited in the programs' CPUs is in memory by then. */
			d_step {
				mark[0] = buffer[0].stored;
				mark[1] = buffer[1].stored
			}
			if
			:: bell > 0 -> found = 1
			:: buffer[0].drained >= mark[0] && buffer[1].drained >= mark[1] -> look(found)
			fi;
			d_step {
				mark[0] = 0;
				mark[1] = 0
			}
		fi;
#endif
		if
		:: found
		:: else ->
			if
			:: bell > 0
			:: other_wakes > 0 -> other_wakes--
			fi
		fi;
		disarm();
		found = 0
	od
}

init
{
	atomic {
		run drain(0);
		run drain(1);
		run drain(READER);
		run program(0);
		run program(1);
		run reader()
	}
}
