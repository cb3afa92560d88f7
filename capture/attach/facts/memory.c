/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <sys/sysinfo.h>

#include "memory.h"

uint64_t memory_total(void)
{
	struct sysinfo s;

	return sysinfo(&s) ? UINT64_MAX : (uint64_t)s.totalram * s.mem_unit;
}
