/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include "testprogs/options.h"
#include "sender.h"

#define CPUS_MAX 16

struct trafgen_options {
	struct traffic_plan plan; /* all but the batches */
	const struct sender_ops *ops;
	uint64_t count; /* frames; UINT64_MAX: only the time ends it */
	double seconds; /* 0: only the count ends it */
	double rate;	/* frames per second; 0: flat out */
	bool even;	/* spaced evenly */
	int cpus[CPUS_MAX];
	int cpu_count;
};

extern const struct program trafgen_program;

/* Ends the program with a message if the options make no sense. */
void trafgen_options_read(struct trafgen_options *options, int argc, char **argv);
