/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>

#include "cpus.h"

/* The kernel's list format: 0-3,8,10-11 (Documentation/admin-guide/cputopology.rst). */
static int number_list(FILE *list, uint16_t *number_of, unsigned max, bool *sparse)
{
	unsigned first, last, count = 0;
	int n, separator;

	while ((n = fscanf(list, "%u-%u", &first, &last)) >= 1) {
		if (n == 1)
			last = first;
		for (unsigned cpu = first; cpu <= last && cpu < max; cpu++) {
			*sparse |= cpu != count;
			number_of[cpu] = (uint16_t)count++;
		}
		separator = getc(list);
		if (separator != ',')
			break;
	}
	return count ? (int)count : -EIO;
}

int cpus_number(uint16_t *number_of, unsigned max, bool *sparse)
{
	FILE *list = fopen("/sys/devices/system/cpu/online", "re");
	int count;

	if (!list)
		return -errno;
	for (unsigned i = 0; i < max; i++)
		number_of[i] = UINT16_MAX;
	*sparse = false;
	count = number_list(list, number_of, max, sparse);
	fclose(list);
	return count;
}
