/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --metrics: how the capture stands, for the textfile collector of Prometheus' node_exporter. The
 * file is written anew each time under another name, and renamed, so that nobody reads half of it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "figures.h"

struct metrics {
	const char *file; /* NULL: none */
	uint64_t begun;	  /* CLOCK_REALTIME ns */
};

/* Could it be written? Leaves no file. -errno. */
int metrics_try(const struct metrics *m);
/* ends: the capture has ended. -errno. */
int metrics_write(const struct metrics *m, const struct status *st, bool ends);
