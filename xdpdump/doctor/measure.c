/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "measure.h"
#include "patient.h"
#include "util/line.h"

static bool read_number(const char *path, const char *word, uint64_t *n)
{
	char line[128];

	return line_of(path, word, line, sizeof(line)) && sscanf(line, "%" SCNu64, n) == 1;
}

/*
 * Lower *limit to the lowest limit of this group and those above it, because all of them apply, and
 * *left to the least that one of them has left. A file with "max", which is not a number, means no
 * limit.
 */
static bool lower_limit(const char *root, char *group, const char *max, const char *used,
			uint64_t *limit, uint64_t *left)
{
	bool told = false;

	for (;;) {
		char path[512];
		uint64_t m, u = 0;

		snprintf(path, sizeof(path), "%s%s/%s", root, group, max);
		told |= access(path, R_OK) == 0;
		if (read_number(path, NULL, &m)) {
			snprintf(path, sizeof(path), "%s%s/%s", root, group, used);
			read_number(path, NULL, &u);
			u = m > u ? m - u : 0;
			*limit = m < *limit ? m : *limit;
			*left = u < *left ? u : *left;
		}
		if (!*group)
			return told;
		*strrchr(group, '/') = 0;
	}
}

/*
 * A line is "0::/group" for cgroup version 2, or "4:memory:/group" for version 1. Returns false if
 * the cgroup's files cannot be seen here, as under ip netns exec.
 */
static bool find_cgroup(uint64_t *limit, uint64_t *left)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	bool told = false;
	char line[300];

	*limit = *left = UINT64_MAX;
	while (f && fgets(line, sizeof(line), f)) {
		char *group = strchr(line, '/');

		if (!group)
			continue;
		group[strcspn(group, "\n")] = 0;
		if (strncmp(line, "0::", 3) == 0)
			told |= lower_limit("/sys/fs/cgroup", group, "memory.max", "memory.current",
					    limit, left);
		else if (strstr(line, ":memory:"))
			told |= lower_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
					    "memory.usage_in_bytes", limit, left);
	}
	if (f)
		fclose(f);
	/* The topmost group of version 2 has no limit, and no file for it. */
	return told || access("/sys/fs/cgroup/cgroup.controllers", R_OK) == 0;
}

bool measure_interface(const struct patient *p, const char *name, uint64_t *n)
{
	char path[128];
	uint64_t index;

	snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", p->name);
	if (!read_number(path, NULL, &index) || index != p->plan.interface.index)
		return false;
	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", p->name, name);
	return read_number(path, NULL, n);
}

void measure_memory(struct memory *m)
{
	m->available = 0;
	read_number("/proc/meminfo", "MemAvailable:", &m->available);
	m->available <<= 10; /* it is in KiB */
	m->cgroup_told = find_cgroup(&m->cgroup_limit, &m->cgroup_left);
}
