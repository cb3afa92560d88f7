/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Where a capture of an interface is: at the hook, or in which XDP programs, by --program-names. */
#pragma once

#include "xdpdump/plan/plan.h"
#include "xdpdump/os/programs.h"

#define TARGETS_MAX (2 * PROGRAMS_MAX)

struct target {
	uint32_t program;
	bool exit; /* fexit, not fentry */
	char function[PROGRAM_FUNCTION_SIZE];
};

struct targets {
	unsigned n;
	struct target at[TARGETS_MAX];
};

/*
 * None where no programs were asked for, or, which is said, where the interface has none. Asks in
 * the network namespace of this moment. -errno after telling what is wrong.
 */
int targets_find(struct targets *t, const struct source_plan *plan, const char *ifname);
