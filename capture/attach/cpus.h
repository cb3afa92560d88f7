/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which CPUs are there: each that is online gets a ring. */
#ifndef PCAP_AFXDP_CPUS_H
#define PCAP_AFXDP_CPUS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Number the online CPUs: number_of[cpu] = 0, 1, ... for those online below max, UINT16_MAX for the
 * others. Returns how many are online, or -errno; *sparse tells whether any number is not the
 * CPU's.
 */
int cpus_number(uint16_t *number_of, unsigned max, bool *sparse);

#endif
