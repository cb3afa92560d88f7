/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Clocks, all in ns. The only file that converts one into another. */
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
uint64_t clock_tick(void);	/* from one tick to the next */
void clock_sleep(unsigned ms);	/* or until a signal comes */
/* A time of CLOCK_MONOTONIC, so many ns from now. */
struct timespec clock_in(uint64_t ns);
/* Milliseconds from now until a time of the same clock, as poll() takes them; UINT64_MAX: -1. */
int clock_ms_until(uint64_t time, uint64_t now);
static inline uint64_t clock_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}
/* The same of two as poll() takes them. */
static inline int clock_earlier_ms(int a, int b)
{
	return (unsigned)a < (unsigned)b ? a : b;
}
/* What to add to the capture program's clock, CLOCK_TAI or CLOCK_MONOTONIC, for CLOCK_REALTIME. */
int64_t clock_offset(bool tai);
