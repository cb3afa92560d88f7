/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdbool.h>

#include "devstats.h"
#include "trafgen_options.h"

struct trafgen_run {
	uint64_t wall_ns;
	uint64_t cpu_ns; /* of the process with the softirqs on it, less the time it spun to pace */
	uint64_t late_ns; /* behind the plan between calls, and not made up for */
	bool interrupted;
	struct devstats before, after;
	bool after_known; /* false: the device went away */
	struct traffic_progress progress;
};

/* Fills in the plan's batches and sends. 0, or -errno with the counts up to there in *run. */
int trafgen_run(struct trafgen_options *options, struct trafgen_run *run);
