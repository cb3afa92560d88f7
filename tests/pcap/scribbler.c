/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * To be preloaded: a thread that writes what it likes into each map that the process has mapped for
 * writing, as a program does whose writes go astray. SCRIBBLE=SECONDS,WHERE: it begins so long
 * after the first is there, and writes into pages (the control pages), records, or both.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/random.h"

#define AREAS	 64
#define PAGE	 4096u
#define BUSY_MAX (256u << 10) /* of the records: where those are that are being read */

static struct area {
	uint32_t *at;
	size_t words;
} areas[AREAS];
static unsigned count;
static bool writes, ends;
static const char *where;
static double after;

static void add_area(unsigned long from, unsigned long to, bool page)
{
	if (count == AREAS || from == to ||
	    (strcmp(where, "both") != 0 && page != (strcmp(where, "pages") == 0)))
		return;
	if (to - from > BUSY_MAX)
		to = from + BUSY_MAX;
	areas[count++] = (struct area){(uint32_t *)from, (to - from) / sizeof(uint32_t)};
}

/* A ring's control page lies in front of its records, in one mapping. */
static void add(const char *line)
{
	unsigned long from, to;

	if (!strstr(line, "rw-s") || !strstr(line, "bpf-map") ||
	    sscanf(line, "%lx-%lx", &from, &to) != 2)
		return;
	add_area(from, from + PAGE, true);
	add_area(from + PAGE, to, false);
}

static void find(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		add(line);
	if (maps)
		fclose(maps);
}

static uint64_t next_random(void)
{
	static uint64_t state = RANDOM_SEED;

	return random_next(&state);
}

/* Where memory goes, nobody writes any more. */
int munmap(void *at, size_t length)
{
	__atomic_store_n(&ends, true, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&writes, __ATOMIC_SEQ_CST))
		;
	return (int)syscall(SYS_munmap, at, length);
}

/* No system call from here on: the process may have given them up. */
static void scribble(void)
{
	__atomic_store_n(&writes, true, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&ends, __ATOMIC_SEQ_CST)) {
		uint64_t r = next_random();
		const struct area *a = &areas[(r >> 8) % count];

		__atomic_store_n(a->at + (r >> 16) % a->words,
				 (uint32_t)(next_random() >> (r & 31)), __ATOMIC_RELAXED);
		for (volatile unsigned i = 0; i < (unsigned)(r >> 50); i++)
			;
	}
	__atomic_store_n(&writes, false, __ATOMIC_SEQ_CST);
}

static void *run(void *unused)
{
	struct timespec moment = {.tv_nsec = 10000000}, start;

	for (unsigned i = 0; i < 3000 && !count; i++) {
		nanosleep(&moment, NULL);
		find();
	}
	if (!count)
		return unused;
	count = 0;
	nanosleep(&moment, NULL);
	find(); /* all of them are there by now */
	start = (struct timespec){(time_t)after, (long)((after - (double)(time_t)after) * 1e9)};
	__atomic_store_n(&ends, false, __ATOMIC_SEQ_CST);
	nanosleep(&start, NULL);
	scribble();
	return unused;
}

__attribute__((constructor)) static void begin(void)
{
	const char *wanted = getenv("SCRIBBLE");
	pthread_t thread;

	if (!wanted || !strchr(wanted, ','))
		return;
	after = atof(wanted);
	where = strchr(wanted, ',') + 1;
	pthread_create(&thread, NULL, run, NULL);
}
