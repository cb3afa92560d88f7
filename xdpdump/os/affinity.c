/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "affinity.h"
#include "complain.h"
#include "util/line.h"

static cpu_set_t reader, others; /* shared by the whole process */
static cpu_set_t listed;
static bool is_set;
static cpu_set_t home; /* the CPUs before we moved */
static bool has_moved;

/* Parse "4" or "4-6" at *text, and move *text behind it. */
static bool parse_range(const char **text, unsigned long *from, unsigned long *to)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*from = *to = strtoul(*text, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*to = strtoul(end + 1, &end, 10);
	*text = end;
	return *from <= *to && *to < CPU_SETSIZE;
}

bool affinity_parse(const char *text, cpu_set_t *all, int *first)
{
	unsigned long from, to;

	CPU_ZERO(all);
	*first = -1;
	for (;; text++) {
		if (!parse_range(&text, &from, &to))
			return false;
		if (*first < 0)
			*first = (int)from;
		for (; from <= to; from++)
			CPU_SET(from, all);
		if (*text != ',')
			return *text == 0;
	}
}

int affinity_set(const char *name, const char *value)
{
	cpu_set_t all, allowed, both;
	int first;

	if (!affinity_parse(value, &all, &first))
		return refuse(-1, "%s takes numbers and ranges, as in 2,4-6, not \"%s\"", name,
			      value);
	CPU_ZERO(&allowed);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	CPU_AND(&both, &all, &allowed);
	if (!CPU_EQUAL(&both, &all))
		return refuse(-1,
			      "%s %s: not all of these are there, or open to us (see: taskset -cp $$)",
			      name, value);
	CPU_ZERO(&reader);
	CPU_SET(first, &reader);
	listed = others = all;
	if (CPU_COUNT(&all) > 1)
		CPU_CLR(first, &others);
	is_set = true;
	return 0;
}

void affinity_share(void)
{
	others = listed;
}

int affinity_reader(void)
{
	return is_set && sched_setaffinity(0, sizeof(reader), &reader) ? -errno : 0;
}

void affinity_lend(cpu_set_t *before)
{
	if (!is_set)
		return;
	CPU_ZERO(before);
	sched_getaffinity(0, sizeof(*before), before);
	sched_setaffinity(0, sizeof(others), &others);
}

void affinity_take_back(const cpu_set_t *before)
{
	if (is_set)
		sched_setaffinity(0, sizeof(*before), before);
}

static bool has_several_nodes(void)
{
	char line[256];
	cpu_set_t nodes;
	int first;

	return line_of("/sys/devices/system/node/online", NULL, line, sizeof(line)) &&
	       affinity_parse(line, &nodes, &first) && CPU_COUNT(&nodes) > 1;
}

/* Move to those CPUs of the node that are open to us. */
static bool go_to(int node)
{
	char path[64], line[4096];
	cpu_set_t cpus;
	int first;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpulist", node);
	if (!line_of(path, NULL, line, sizeof(line)) || !affinity_parse(line, &cpus, &first))
		return false;
	CPU_AND(&cpus, &cpus, &home);
	return CPU_COUNT(&cpus) && sched_setaffinity(0, sizeof(cpus), &cpus) == 0;
}

int affinity_near(const char *ifname)
{
	char path[64], line[32];
	int node;

	if (is_set || !has_several_nodes())
		return -1;
	snprintf(path, sizeof(path), "/sys/class/net/%s/device/numa_node", ifname);
	if (!line_of(path, NULL, line, sizeof(line)))
		return -1;
	node = atoi(line); /* -1: the firmware does not tell */
	if (!has_moved && sched_getaffinity(0, sizeof(home), &home))
		return -1;
	has_moved = true;
	return node >= 0 && go_to(node) ? node : -1;
}

void affinity_anywhere(void)
{
	if (has_moved)
		sched_setaffinity(0, sizeof(home), &home);
}

static void go_to_listed(unsigned number)
{
	cpu_set_t one;

	number %= (unsigned)CPU_COUNT(&listed);
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &listed) && number-- == 0)
			CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* Avoid the CPU that receives the frames. */
static void stay_off(int cpu)
{
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return;
	CPU_CLR(cpu, &cpus);
	if (CPU_COUNT(&cpus))
		sched_setaffinity(0, sizeof(cpus), &cpus);
}

void affinity_queue_reader(int cpu, unsigned number, int node)
{
	if (is_set) {
		go_to_listed(number);
		return;
	}
	if (node >= 0)
		go_to(node);
	if (cpu >= 0 && cpu < CPU_SETSIZE)
		stay_off(cpu);
}
