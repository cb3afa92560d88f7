/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A difference of counters that were not read at the same moment must not go below 0. A sum of
 * numbers that others choose must not wrap around. */
#pragma once

#include <stdint.h>

static inline uint64_t less(uint64_t from, uint64_t n)
{
	return from > n ? from - n : 0;
}

static inline void add_capped(uint64_t *sum, uint64_t n)
{
	if (__builtin_add_overflow(*sum, n, sum))
		*sum = UINT64_MAX;
}
