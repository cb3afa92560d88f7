/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Looks at other processes through /proc, and at the loader among them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The loaders in this network namespace, zombies left out: how many, and in *pid the last. */
int loaders(pid_t *pid);
/* Waits until there are so many, for a second. */
bool loaders_become(int n);
/* Processes whose parent is this one, zombies included. */
int children(void);
/* A line of /proc/PID/status behind its name and colon; "" where there is none. */
void status_line(pid_t pid, const char *name, char *text, size_t size);
/* Where a descriptor of it leads; false: it has none of this number. */
bool descriptor_of(pid_t pid, int fd, char *text, size_t size);
/* Bytes of its environment; -1 where that cannot be read. */
ssize_t environment_size(pid_t pid);
