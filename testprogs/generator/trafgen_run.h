/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdbool.h>

#include "devstats.h"
#include "trafgen_options.h"

struct trafgen_run {
	uint64_t wall_ns;
	uint64_t cpu_ns;  /* of the process and softirqs on it, without spinning to pace */
	uint64_t late_ns; /* how far behind the plan between calls; not made up for */
	bool interrupted;
	struct devstats before, after;
	bool after_known; /* false: the device went away */
	struct traffic_progress progress;
};

/* Fills in the plan's batches, and sends. Returns 0, or -errno; *run then has the counts so far. */
int trafgen_run(struct trafgen_options *options, struct trafgen_run *run);
