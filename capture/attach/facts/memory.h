/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The memory of the machine, by which rings are sized unless an option says otherwise. */
#pragma once

#include <stdint.h>

/* Bytes; UINT64_MAX: not known. Limits of cgroups are not read. */
uint64_t memory_total(void);
