/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * CPUs whose stores wait in a buffer, for the models in this folder: x86-TSO (Owens, Sarkar, Sewell,
 * "A better x86 memory model", 2009). A CPU sees its own stores at once, and the others see them
 * later, in their order. Loads are not reordered: what CPUs do that reorder those is argued for in
 * README.md.
 *
 * With -DWEAK buffers drain in any order, but for stores to one address, and release stores, which
 * wait for all before them.
 *
 * Who includes this has defined CPUS, CELLS and DEPTH.
 */
typedef store_buffer {
	byte count;
	byte address[DEPTH];
	byte value[DEPTH];
	bit release[DEPTH];
	byte stored;  /* so many stores have come in, */
	byte drained; /* ... and gone out: "a while later", for who waits for what was in here */
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

/* The CPU's own last store to the address, or memory. */
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

/* May entry i go to memory before those in front of it? */
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
		/* What is not in use looks the same in all states. */
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
