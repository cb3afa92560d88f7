/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Where to capture on an interface: at the hook, or in which XDP programs (--program-names). */
#pragma once

#include "xdpdump/plan/plan.h"
#include "xdpdump/os/programs.h"

#define TARGETS_MAX (2 * PROGRAMS_MAX)

struct target {
	uint32_t program;
	bool exit; /* at its exit (fexit), not its entry (fentry) */
	char function[PROGRAM_FUNCTION_SIZE];
};

struct targets {
	unsigned n;
	struct target at[TARGETS_MAX];
};

/* Find the programs to capture in. There are none if none were asked for, or if the interface has
 * none, which the user is told. Looks in the network namespace that the thread is in. Returns 0, or
 * -errno after telling what is wrong. */
int targets_find(struct targets *t, const struct source_plan *plan, const char *ifname);
