/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Of counters that were not read at one moment, one less another is not below 0. */
#ifndef PCAP_AFXDP_LESS_H
#define PCAP_AFXDP_LESS_H

#include <stdint.h>

static inline uint64_t less(uint64_t from, uint64_t n)
{
	return from > n ? from - n : 0;
}

#endif
