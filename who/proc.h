/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What /proc says about a process. */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

struct proc_stat {
	uint32_t pid, parent;
	uint64_t start; /* in ticks; proc_tick() returns their length */
	char command[WHO_COMMAND_SIZE];
};

/* Length of a tick, in ns. */
uint64_t proc_tick(void);
/* Reads the first bytes of a file of a process, and adds a 0. Returns their number. */
size_t proc_read(uint32_t pid, const char *name, char *to, size_t size);
/* False: there is no such process. */
bool proc_stat_of(uint32_t pid, struct proc_stat *to);
/* Calls take for all processes. Returns 0 or -errno. */
typedef void proc_take(void *to, const struct proc_stat *p);
int proc_each(proc_take *take, void *to);
