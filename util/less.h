/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Of counters that were not read at one moment, one less another is not below 0. Of those that
 * others choose, a sum is not above the largest number. */
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
