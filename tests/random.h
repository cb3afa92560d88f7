/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The same numbers in each run: Marsaglia, "Xorshift RNGs", 2003. */
#pragma once

#include <stdint.h>

#define RANDOM_SEED 88172645463325252u

static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}
