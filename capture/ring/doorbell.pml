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
 * -DSELECTS: it sleeps in select(), and goes on asking for the bell while it reads nothing.
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
#ifdef SELECTS
byte other_wakes = 0; /* the second look is one */
#else
byte other_wakes = 1;
#endif

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

#ifdef SELECTS
/*
 * An application that selects: wait_rest(), rest_by_bell() and wait_resume(). It may read as often
 * as it likes between two sleeps (other_wakes), for which the bell is not asked for again.
 */
inline settle()
{
	if
	:: bell > 0
	:: buffer[0].drained >= mark[0] && buffer[1].drained >= mark[1]
	:: other_wakes > 0 -> other_wakes--
	fi
}

/* Has no program rung since arm()? */
inline look_whether_armed()
{
	armed = 1;
	for (i : 0 .. PROGRAMS - 1) {
		load(READER, NEED(i), head);
		armed = armed && head != 0;
		head = 0
	}
	i = 0
}

inline arm_and_look()
{
	arm();
	d_step {
		mark[0] = buffer[0].stored;
		mark[1] = buffer[1].stored
	}
	look(found)
}

proctype reader()
{
	byte read[PROGRAMS], mark[PROGRAMS], head, i;
	bit found, armed, asked, settled;

	do
	:: look(found);
		for (i : 0 .. PROGRAMS - 1) {
			load(READER, HEAD(i), head);
			found = found || head != read[i];
			read[i] = head;
			head = 0
		}
		i = 0;
		if
		:: read[0] == RECORDS && read[1] == RECORDS -> break
		:: else
		fi;
		if
		:: found -> /* the pace: a timer, and another read */
			disarm();
			asked = 0;
			settled = 0;
			found = 0
		:: else ->
#ifndef BUG_EMPTY_LATE
			bell = 0;
#endif
#ifdef BUG_KEEPS
			armed = 1;
#else
			look_whether_armed();
#endif
#ifdef BUG_EMPTY_LATE
			bell = 0;
#endif
			look(found);
			if
			:: found -> found = 0
			:: !found && asked && armed && settled ->
				if
				:: bell > 0
				:: other_wakes > 0 -> other_wakes--
				fi
			:: !found && asked && armed && !settled ->
				if
				:: buffer[0].drained >= mark[0] && buffer[1].drained >= mark[1] ->
					settled = 1
#ifdef BUG_ASKS_AGAIN
					;
					arm_and_look()
#endif
				:: !(buffer[0].drained >= mark[0] && buffer[1].drained >= mark[1]) ->
					settle() /* the timer goes on */
				fi
			:: else ->
				asked = 1;
#if defined(XCHG) || defined(BUG_ONE_LOOK)
				settled = 1;
#else
				settled = 0;
#endif
				arm_and_look();
				if
				:: found -> disarm(); asked = 0; settled = 0
				:: !found && settled ->
					if
					:: bell > 0
					:: other_wakes > 0 -> other_wakes--
					fi
				:: else -> settle()
				fi
			fi;
			found = 0;
			armed = 0
		fi
	od
}
#else
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

#endif

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
