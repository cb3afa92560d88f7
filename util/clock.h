/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Clocks, all in ns. No other file converts one clock into another. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_SEC 1000000000LL
#define NS_PER_MS  1000000LL

uint64_t clock_wall(void);	/* CLOCK_REALTIME */
uint64_t clock_monotonic(void); /* CLOCK_MONOTONIC */
uint64_t clock_coarse(void);	/* the same, as of the last tick */
uint64_t clock_thread(void);	/* CLOCK_THREAD_CPUTIME_ID */
uint64_t clock_tick(void);	/* the time between two ticks */
void clock_sleep(unsigned ms);	/* or until a signal comes */
/* The time of CLOCK_MONOTONIC this many ns from now. */
struct timespec clock_in(uint64_t ns);
/* Milliseconds from now until a time of the same clock, for poll(); -1 for UINT64_MAX. */
int clock_ms_until(uint64_t time, uint64_t now);
static inline uint64_t clock_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}
/* The same for two timeouts of poll(). */
static inline int clock_earlier_ms(int a, int b)
{
	return (unsigned)a < (unsigned)b ? a : b;
}
/* What to add to the program's clock, CLOCK_TAI or CLOCK_MONOTONIC, to get CLOCK_REALTIME. */
int64_t clock_offset(bool tai);
