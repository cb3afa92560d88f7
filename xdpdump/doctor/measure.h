/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Numbers that the system tells in its files: of memory and the groups of this process, of an
 * interface. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct memory;
struct patient;

void measure_memory(struct memory *m);
/* A file in its folder of /sys, which may be that of another network namespace and have another
 * interface of the same name: then false, too. */
bool measure_interface(const struct patient *p, const char *name, uint64_t *n);
