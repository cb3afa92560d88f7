/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How much memory there is, by which rings that nobody has sized are sized. */
#ifndef PCAP_AFXDP_MEMORY_H
#define PCAP_AFXDP_MEMORY_H

#include <stdint.h>

/* Bytes that the machine has. Limits of cgroups are not read: they are in files. */
uint64_t memory_total(void);

#endif
