/* SPDX-License-Identifier: BSD-3-Clause */
#include <sys/timex.h>
#include <time.h>

#include "clock.h"

static uint64_t read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

uint64_t clock_wall(void)
{
	return read_clock(CLOCK_REALTIME);
}

uint64_t clock_monotonic(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* Sampled between two reads of the other clock; the narrowest of several brackets is the best. */
static int64_t offset_from_monotonic(void)
{
	uint64_t before, wall, after, narrowest = UINT64_MAX;
	int64_t offset = 0;

	for (int i = 0; i < 8; i++) {
		before = clock_monotonic();
		wall = clock_wall();
		after = clock_monotonic();
		if (after - before < narrowest) {
			narrowest = after - before;
			offset = (int64_t)(wall - (before + (after - before) / 2));
		}
	}
	return offset;
}

int64_t clock_offset(bool tai)
{
	struct timex t = {.modes = 0};

	if (!tai)
		return offset_from_monotonic();
	/* TAI runs a whole number of seconds ahead; 0 where nobody has told the kernel how many. */
	return adjtimex(&t) < 0 ? 0 : -(int64_t)t.tai * NS_PER_SEC;
}
