/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The CPUs on which frames may come: each gets a ring. The list of online CPUs is not enough: in a
 * container, lxcfs shows its own CPUs there, but frames come on any CPU. So CPUs that are present
 * and not offline have a ring as well; the kernel's own lists say that everywhere. Other CPUs that
 * appear in any list share one ring, because they may come online later, or a list may be wrong.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/ring/ring.h"

#define CPUS_MAX 4096u

/*
 * Give the CPUs that have a ring of their own numbers below max: number_of[cpu] = 0, 1, ...; others
 * get UINT16_MAX. Returns how many there are, or -errno. *sparse: some CPU's ring has another
 * number than the CPU. *late: frames may come on other CPUs as well.
 */
int cpus_number(uint16_t *number_of, unsigned max, bool *sparse, bool *late);

/*
 * If such CPUs belong to several memory nodes, renumber them so that the rings of a node follow
 * each other: *maps gets a map for each node. If a node has no memory, the kernel uses that of the
 * nearest one. Returns whether there is more than one map.
 */
bool cpus_by_node(uint16_t *number_of, unsigned max, struct ring_maps *maps);
