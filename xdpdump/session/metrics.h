/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --metrics: the state of the capture, for the textfile collector of Prometheus' node_exporter.
 * Each time a new file is written under another name and then renamed, so that nobody reads half of
 * it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "figures.h"

struct metrics {
	const char *file; /* NULL: none */
	uint64_t begun;	  /* CLOCK_REALTIME ns */
};

/* Could the file be written? Leaves no file. Returns 0 or -errno. */
int metrics_try(const struct metrics *m);
/* ends: the capture has ended. Returns 0 or -errno. */
int metrics_write(const struct metrics *m, const struct status *st, bool ends);
