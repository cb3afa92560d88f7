/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
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

uint64_t clock_coarse(void)
{
	return read_clock(CLOCK_MONOTONIC_COARSE);
}

uint64_t clock_thread(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_tick(void)
{
	struct timespec t;

	clock_getres(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

struct timespec clock_in(uint64_t ns)
{
	ns += clock_monotonic();
	return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_SEC),
				 .tv_nsec = (long)(ns % NS_PER_SEC)};
}

void clock_sleep(unsigned ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000 * NS_PER_MS)};

	nanosleep(&t, NULL);
}

int clock_ms_until(uint64_t time, uint64_t now)
{
	if (time == UINT64_MAX)
		return -1;
	if (time <= now)
		return 0;
	time = (time - now) / NS_PER_MS + 1;
	return time > INT32_MAX ? INT32_MAX : (int)time;
}

/* What to add to another clock to get CLOCK_REALTIME, which is read between two reads of the other;
 * the narrowest sample is the best. */
static int64_t offset_from(clockid_t other)
{
	uint64_t before, wall, after, narrowest = UINT64_MAX;
	int64_t offset = 0;

	for (int i = 0; i < 8; i++) {
		before = read_clock(other);
		wall = clock_wall();
		after = read_clock(other);
		if (after - before < narrowest) {
			narrowest = after - before;
			offset = (int64_t)(wall - (before + (after - before) / 2));
		}
	}
	return offset;
}

int64_t clock_offset(bool tai)
{
	const int64_t half = NS_PER_SEC / 2;

	if (!tai)
		return offset_from(CLOCK_MONOTONIC);
	/* TAI is ahead by a whole number of seconds; by 0 if the kernel does not know how many. */
	return -((half - offset_from(CLOCK_TAI)) / NS_PER_SEC) * NS_PER_SEC;
}
