/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The memory of the machine, which sizes rings where no option does. */
#pragma once

#include <stdint.h>

/* Bytes; UINT64_MAX: not known. Limits of cgroups are not read. */
uint64_t memory_total(void);
