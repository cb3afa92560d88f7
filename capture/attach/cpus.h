/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The CPUs that frames may come on: each gets a ring. Those that are online are not enough: lxcfs
 * shows a container its own CPUs in that list, and frames come on any. So those that are present
 * and not offline have a ring as well, for which the kernel speaks everywhere.
 */
#ifndef PCAP_AFXDP_CPUS_H
#define PCAP_AFXDP_CPUS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Number the CPUs that are online now, below max: number_of[cpu] = 0, 1, ...; of others UINT16_MAX.
 * Returns how many there are, or -errno. *sparse: one of them has another number than its CPU.
 */
int cpus_number(uint16_t *number_of, unsigned max, bool *sparse);

#endif
