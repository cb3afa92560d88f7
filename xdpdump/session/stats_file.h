/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --stats-file: how the capture stands, an object of --json in a line each time. */
#ifndef XDPDUMP_STATS_FILE_H
#define XDPDUMP_STATS_FILE_H

#include <stdbool.h>

struct status;

/* A descriptor for more lines behind those that are there; -errno. */
int stats_file_open(const char *name);
/* All of the line, or nothing. -errno. */
int stats_file_add(int fd, const struct status *st, bool final);

#endif
