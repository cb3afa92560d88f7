/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>

#include "cpus.h"

#define LISTS "/sys/devices/system/cpu/"
#define NONE  UINT16_MAX

/*
 * Give the CPUs of a list, such as 0-3,8,10-11 (Documentation/admin-guide/cputopology.rst), this
 * mark. What is no list marks none.
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

int cpus_number(uint16_t *number_of, unsigned max, bool *sparse)
{
	unsigned count = 0;
	int e;

	mark_none(number_of, max);
	if (mark_list(LISTS "present", number_of, max, 0) ||
	    mark_list(LISTS "offline", number_of, max, NONE))
		mark_none(number_of, max);
	e = mark_list(LISTS "online", number_of, max, 0);
	*sparse = false;
	for (unsigned cpu = 0; cpu < max; cpu++) {
		if (number_of[cpu] == NONE)
			continue;
		*sparse |= cpu != count;
		number_of[cpu] = (uint16_t)count++;
	}
	return count ? (int)count : e ? e : -EIO;
}
