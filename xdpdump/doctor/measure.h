/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads numbers from the system's files: about memory, this process's cgroups, and an interface. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct memory;
struct patient;

void measure_memory(struct memory *m);
/* Read a file in the interface's folder in /sys. Returns false if that fails, or if /sys belongs to
 * another network namespace, where the name may be another interface's. */
bool measure_interface(const struct patient *p, const char *name, uint64_t *n);
