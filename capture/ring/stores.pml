/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * CPUs whose stores wait in a buffer, for the models in this folder: x86-TSO (Owens, Sarkar,
 * Sewell, "A better x86 memory model", 2009). A CPU sees its own stores at once; the others see
 * them later, in order. Loads are not reordered: README.md argues for CPUs that do reorder them.
 *
 * With -DWEAK buffers drain in any order, except for stores to the same address, and except for
 * release stores, which wait for all stores before them.
 *
 * A file that includes this one first defines CPUS, CELLS and DEPTH.
 */
typedef store_buffer {
	byte count;
	byte address[DEPTH];
	byte value[DEPTH];
	bit release[DEPTH];
	byte stored;  /* how many stores have come in */
	byte drained; /* how many have gone out, for code that waits until what was in the buffer has */
}

byte memory[CELLS];
store_buffer buffer[CPUS];
hidden byte scan;

inline put(cpu, a, v, is_release)
{
	atomic {
		buffer[cpu].count < DEPTH;
		buffer[cpu].address[buffer[cpu].count] = a;
		buffer[cpu].value[buffer[cpu].count] = v;
		buffer[cpu].release[buffer[cpu].count] = is_release;
		buffer[cpu].count++;
		buffer[cpu].stored++
	}
}

#define store(cpu, a, v)	 put(cpu, a, v, 0)
#define store_release(cpu, a, v) put(cpu, a, v, 1)

/* Load the CPU's own last store to the address, or else memory. */
inline load(cpu, a, to)
{
	d_step {
		to = memory[a];
		scan = 0;
		do
		:: scan < buffer[cpu].count ->
			if
			:: buffer[cpu].address[scan] == a -> to = buffer[cpu].value[scan]
			:: else
			fi;
			scan++
		:: else -> break
		od;
		scan = 0
	}
}

inline fence(cpu)
{
	buffer[cpu].count == 0
}

inline exchange(cpu, a, v)
{
	atomic {
		buffer[cpu].count == 0;
		memory[a] = v
	}
}

/* Find whether a store before entry i keeps that from going to memory. */
inline find_blocker(cpu, i, blocked)
{
	d_step {
		blocked = i > 0 && buffer[cpu].release[i];
		scan = 0;
		do
		:: scan < i ->
			blocked = blocked || buffer[cpu].address[scan] == buffer[cpu].address[i];
			scan++
		:: else -> break
		od;
		scan = 0
	}
}

inline drain_entry(cpu, i)
{
	d_step {
		memory[buffer[cpu].address[i]] = buffer[cpu].value[i];
		buffer[cpu].count--;
		buffer[cpu].drained++;
		scan = i;
		do
		:: scan < buffer[cpu].count ->
			buffer[cpu].address[scan] = buffer[cpu].address[scan + 1];
			buffer[cpu].value[scan] = buffer[cpu].value[scan + 1];
			buffer[cpu].release[scan] = buffer[cpu].release[scan + 1];
			scan++
		:: else -> break
		od;
		/* Unused entries look the same in all states. */
		buffer[cpu].address[scan] = 0;
		buffer[cpu].value[scan] = 0;
		buffer[cpu].release[scan] = 0;
		scan = 0
	}
}

proctype drain(byte cpu)
{
#ifdef WEAK
	byte i;
	bit blocked;
#endif

end:	do
	:: atomic {
		buffer[cpu].count > 0;
#ifdef WEAK
		i = 0;
		do
		:: i + 1 < buffer[cpu].count -> i++
		:: break
		od;
		find_blocker(cpu, i, blocked);
		if
		:: blocked -> i = 0
		:: else
		fi;
		blocked = 0;
		drain_entry(cpu, i);
		i = 0
#else
		drain_entry(cpu, 0)
#endif
	}
	od
}
