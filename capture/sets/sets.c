/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "sets.h"
#include "table.h"
#include "text.h"

#define LINES_LEAST 4096u /* of each set: room for some thousand more entries */

static int refuse_many(const struct set_entries *e, char *err, size_t size)
{
	uint64_t lines = set_table_lines(e->singles, e->ranges, e->ports);

	snprintf(err, size,
		 "the first %zu addresses and %zu prefixes take %llu MiB, and %u MiB are the most: give fewer",
		 e->singles, e->ranges, (unsigned long long)lines * 2 * SETS_LINE >> 20,
		 CAPTURE_SETS_LINES_MAX / ((1u << 20) / SETS_LINE));
	return -E2BIG;
}

/* Of two sets and the first line. */
static void measure(struct afxdp_options *o, const struct set_entries *e)
{
	uint64_t lines = set_table_lines(e->singles, e->ranges, e->ports);
	uint64_t asked = o->sets_max ? set_table_lines(o->sets_max, 0, e->ports) : lines * 5 / 4;

	if (asked < LINES_LEAST)
		asked = LINES_LEAST;
	if (asked > SET_LINES_MAX)
		asked = SET_LINES_MAX;
	if (lines < asked)
		lines = asked;
	o->sets_lines = 2 * (uint32_t)lines + 1;
}

/* Ports first: entries of addresses are bounded by the room that those leave. */
static int read_files(struct sets *s, const struct afxdp_options *o, char *err, size_t size)
{
	struct set_entries *e = &s->entries;
	int error = 0;

	for (unsigned i = 0; i < SETS_FILES && !error; i++) {
		unsigned k = (i + SETS_PORTS_SHIFT) % SETS_FILES;
		size_t before = e->singles + e->ranges + e->ports_listed;

		if (!o->sets[k][0])
			continue;
		error = set_file_parse(k < SETS_PORTS_SHIFT ? set_text_parse : set_ports_parse, e,
				       1u << k % SETS_KINDS, o->sets[k], err, size);
		if (e->singles + e->ranges + e->ports_listed == before)
			s->empty |= 1u << k;
	}
	return error == -E2BIG ? refuse_many(e, err, size) : error;
}

int sets_open(struct sets *s, struct afxdp_options *o, char *err, size_t size)
{
	int e;

	*s = (struct sets){.map = NULL};
	o->sets_asked = 0;
	for (unsigned i = 0; i < SETS_FILES; i++)
		o->sets_asked |= o->sets[i][0] ? 1u << i : 0;
	if (!o->sets_asked)
		return 0;
	e = read_files(s, o, err, size);
	if (!e)
		measure(o, &s->entries);
	return e;
}

/* Into the half that is not in use; from the next frame on the programs look there. */
static int write_set(struct sets *s)
{
	struct sets_control *control = s->map;
	uint32_t half = (s->lines - 1) / 2, first = 1 + (s->upper ? 0 : half);
	int e = set_table_write(s->map, first, half, &s->entries);

	set_entries_free(&s->entries);
	if (e)
		return e;
	s->upper = !s->upper;
	/* Pairs with the programs' read of active, on which the place they look in depends. */
	__atomic_store_n(&control->active, first, __ATOMIC_RELEASE);
	return 0;
}

int sets_begin(struct sets *s, const struct afxdp_options *o, int fd, char *err, size_t size)
{
	size_t length = (size_t)o->sets_lines * SETS_LINE;
	void *p;
	int e;

	if (!o->sets_asked)
		return 0;
	p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED) {
		e = -errno;
	} else {
		s->map = p;
		s->lines = o->sets_lines;
		e = write_set(s);
	}
	if (e == -ENOSPC)
		snprintf(err, size,
			 "an address found no place in the table: open the device again, or give a larger set-max=");
	else if (e)
		snprintf(err, size, "cannot map the table of addresses and ports: %s",
			 strerror(-e));
	return e;
}

void sets_close(struct sets *s)
{
	set_entries_free(&s->entries);
	if (s->map)
		munmap(s->map, (size_t)s->lines * SETS_LINE);
	s->map = NULL;
}
