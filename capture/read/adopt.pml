/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * One thread sets filters, another reads, and the program on one CPU writes records. Mirrors
 * filter_state_set() and filter_state_adopt() (filter_state.c), look_at(), run_end() and
 * merge_trusts() (merge.c), and the choice of the generation in bpf/capture.bpf.h.
 *
 * Filters have the numbers 1, 2, ...; a record has the number of the filter that it matched, which
 * a real record does not. Shown: a record that the reader delivers without running its own filter
 * on it has matched that filter or a newer one, although generations wrap around.
 *
 * The exchange of `pending' is one atomic operation in both threads, so store buffers do not matter
 * here. The model has two assumptions as conditions: while one program runs, at most LOADS_AT_WORK
 * filters are loaded; and none runs for longer than GRACE_NS.
 *
 * -DBUG_...: bugs that the model must find.
 */
#define GENERATIONS 4 /* 255 in the code */
#ifdef BUG_NO_LIMIT
#define FILTERS_UNADOPTED 9
#else
#define FILTERS_UNADOPTED 2 /* 250 in the code */
#endif
#define LOADS_AT_WORK 1 /* GENERATIONS - FILTERS_UNADOPTED - 1; 4 in the code */
#define FILTERS	      6
#ifndef RECORDS
#define RECORDS 2
#endif
#define NEVER	      255

/* The kernel's side. */
byte program_filter, program_generation; /* what runs from now on */
bit take_all;				 /* RING_TAKE_ALL */
bit running;				 /* a program is running */
byte running_filter;			 /* ... that began with this filter */
byte running_loads;			 /* ... and how many were loaded since */
byte head;
byte record_filter[RECORDS], record_generation[RECORDS];

/* struct filter_change; filter 0: none is pending */
byte pending_filter, pending_generation;

active proctype capture_program()
{
	byte generation;

end:	do
	:: atomic {
		head < RECORDS;
		running = 1;
		running_filter = program_filter;
		generation = program_generation
	   }
	   atomic { /* it reads mode after the kernel has chosen the program */
		if
		:: take_all -> generation = 0
		:: else
		fi
	   }
	   atomic {
		record_filter[head] = running_filter;
		record_generation[head] = generation;
		head++;
		running = 0;
		running_filter = 0;
		running_loads = 0;
		generation = 0
	   }
	od
}

active proctype setter()
{
	byte filter, generation, next, unadopted;
	bit refused;

	do
	:: filter == FILTERS -> break
	:: else ->
		atomic {
			filter++;
			refused = unadopted >= FILTERS_UNADOPTED && pending_filter /* give_up() */
		}
		if
		:: refused
		:: else ->
			atomic {
				!running || running_loads < LOADS_AT_WORK;
				if
				:: running -> running_loads++
				:: else
				fi;
				next = generation % GENERATIONS + 1;
				if
				:: program_filter = filter;
					program_generation = next;
					generation = next
				:: refused = 1; /* by the verifier */
#ifdef BUG_REFUSED_COUNTS
					generation = next
#endif
				fi;
				next = 0
			}
		fi;
		take_all = refused;
		atomic { /* publish() */
			unadopted = (pending_filter -> unadopted + 1 : 1);
			pending_filter = filter;
			pending_generation = (refused -> 0 : generation);
			refused = 0
		}
	od
}

active proctype reader()
{
	byte current, generation, position, seen, refine_below, distrust_below, adopted_head;

	do
	:: position == RECORDS -> break
	:: else ->
		/* filter_state_adopt() */
		atomic {
			if
			:: pending_filter ->
				current = pending_filter;
				generation = pending_generation;
				pending_filter = 0;
				pending_generation = 0;
				refine_below = NEVER;
#ifndef BUG_NO_DISTRUST
				distrust_below = adopted_head;
#endif
				adopted_head = NEVER
			:: else
			fi
		}
		atomic {
			if
			:: adopted_head == NEVER -> adopted_head = head
			:: else
			fi
		}
		/* look_at(). GRACE_NS after a filter was set, only programs with that filter or
		 * newer ones run. */
		atomic {
			seen = head;
			if
#ifdef BUG_NO_GRACE
			:: generation && refine_below == NEVER -> refine_below = seen
#else
			:: generation && refine_below == NEVER &&
				(!running || running_filter >= current) -> refine_below = seen
#endif
			:: 1 /* not yet GRACE_NS */
			fi
		}
		do
		:: atomic {
			position < seen ->
			if
			:: position >= refine_below -> assert(record_filter[position] >= current)
			:: position < refine_below && generation && position >= distrust_below &&
				record_generation[position] == generation ->
				assert(record_filter[position] >= current)
			:: else /* refined */
			fi;
			position++
		   }
		:: break /* adopt between two records */
		od;
		seen = 0
	od
}
