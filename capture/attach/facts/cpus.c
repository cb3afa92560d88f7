/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cpus.h"

#define LISTS	  "/sys/devices/system/cpu/"
#define NODES	  "/sys/devices/system/node/"
#define NODES_MAX 1024u
#define NONE	  UINT16_MAX

/*
 * Give mark to the CPUs of a list, such as 0-3,8,10-11 (Documentation/admin-guide/cputopology.rst).
 * A file that is not a list marks none.
 */
static int mark_list(const char *path, uint16_t *number_of, unsigned max, uint16_t mark)
{
	FILE *list = fopen(path, "re");
	unsigned first, last;
	int n;

	if (!list)
		return -errno;
	while ((n = fscanf(list, "%u-%u", &first, &last)) >= 1) {
		if (n == 1)
			last = first;
		for (unsigned cpu = first; cpu <= last && cpu < max; cpu++)
			number_of[cpu] = mark;
		if (getc(list) != ',')
			break;
	}
	fclose(list);
	return 0;
}

static void mark_none(uint16_t *number_of, unsigned max)
{
	for (unsigned i = 0; i < max; i++)
		number_of[i] = NONE;
}

/* The marks of one list. any: is a CPU marked? Not if the list is empty or cannot be read. */
struct marks {
	uint16_t of[CPUS_MAX];
	bool any;
};

static void read_marks(struct marks *m, const char *path)
{
	mark_none(m->of, CPUS_MAX);
	mark_list(path, m->of, CPUS_MAX, 0);
	m->any = false;
	for (unsigned i = 0; i < CPUS_MAX; i++)
		m->any |= m->of[i] != NONE;
}

/*
 * A list with CPUs that are not possible is wrong: those get no ring of their own. But if it has no
 * possible CPU at all, the list of possible CPUs is the wrong one.
 */
static void keep_possible(uint16_t *number_of, unsigned max, const struct marks *possible)
{
	bool any = false;

	for (unsigned i = 0; i < max; i++)
		any |= number_of[i] != NONE && possible->of[i] != NONE;
	for (unsigned i = 0; i < max && any; i++)
		if (possible->of[i] == NONE)
			number_of[i] = NONE;
}

/* Number the CPUs that are marked. */
static unsigned count_up(uint16_t *number_of, unsigned max, bool *sparse)
{
	unsigned count = 0;

	*sparse = false;
	for (unsigned cpu = 0; cpu < max; cpu++) {
		if (number_of[cpu] == NONE)
			continue;
		*sparse |= cpu != count;
		number_of[cpu] = (uint16_t)count++;
	}
	return count;
}

int cpus_number(uint16_t *number_of, unsigned max, bool *sparse, bool *late)
{
	struct marks possible, all;
	unsigned count;
	int e;

	if (max > CPUS_MAX)
		max = CPUS_MAX;
	read_marks(&possible, LISTS "possible");
	read_marks(&all, LISTS "present");
	mark_none(number_of, max);
	if (mark_list(LISTS "present", number_of, max, 0) ||
	    mark_list(LISTS "offline", number_of, max, NONE))
		mark_none(number_of, max);
	e = mark_list(LISTS "online", number_of, max, 0);
	for (unsigned cpu = 0; cpu < max; cpu++)
		if (number_of[cpu] != NONE)
			all.of[cpu] = 0;
	keep_possible(number_of, max, &possible);
	count = count_up(number_of, max, sparse);
	*late = !possible.any;
	for (unsigned cpu = 0; cpu < max; cpu++)
		*late |=
			number_of[cpu] == NONE && (possible.of[cpu] != NONE || all.of[cpu] != NONE);
	return count ? (int)count : e ? e : -EIO;
}

/* Number the CPUs of *from that belong to node (NULL: all), and remove them from *from. */
static unsigned take_node(struct marks *from, const struct marks *node, uint16_t *number_of,
			  unsigned next)
{
	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (from->of[cpu] == NONE || (node && node->of[cpu] == NONE))
			continue;
		number_of[cpu] = (uint16_t)next++;
		from->of[cpu] = NONE;
	}
	return next;
}

static void begin_map(struct ring_maps *maps, int node, unsigned first)
{
	maps->node[maps->count] = node;
	maps->first[maps->count++] = first;
}

bool cpus_by_node(uint16_t *number_of, unsigned max, struct ring_maps *maps)
{
	struct marks left = {.any = false}, nodes, cpus;
	uint16_t number[CPUS_MAX];
	char path[sizeof(NODES) + 32];
	unsigned next = 0, before;

	mark_none(left.of, CPUS_MAX);
	mark_none(number, CPUS_MAX);
	memcpy(left.of, number_of, max * sizeof(*number_of));
	*maps = (struct ring_maps){.count = 0};
	read_marks(&nodes, NODES "online");
	for (unsigned i = 0; i < NODES_MAX && maps->count < RING_MAPS_MAX; i++) {
		if (nodes.of[i] == NONE)
			continue;
		snprintf(path, sizeof(path), NODES "node%u/cpulist", i);
		read_marks(&cpus, path);
		before = next;
		next = take_node(&left, &cpus, number, next);
		if (next != before)
			begin_map(maps, (int)i, before);
	}
	before = next;
	next = take_node(&left, NULL, number, next); /* those of further nodes, or of none */
	if (next != before && maps->count < RING_MAPS_MAX)
		begin_map(maps, -1, before);
	else if (next != before)
		maps->node[maps->count - 1] = -1; /* these share the last map */
	if (maps->count > 1) {
		memcpy(number_of, number, max * sizeof(*number_of));
		return true;
	}
	*maps = (struct ring_maps){.count = 1, .node = {-1}};
	return false;
}
