/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The CPUs that frames may come on: each gets a ring. Those that are online are not enough: lxcfs
 * shows a container its own CPUs in that list, and frames come on any. So those that are present
 * and not offline have a ring as well, for which the kernel speaks everywhere. Others that any list
 * names, because they may come online later or a list is wrong, share one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/ring/ring.h"

#define CPUS_MAX 4096u

/*
 * Number the CPUs that have a ring of their own, below max: number_of[cpu] = 0, 1, ...; of others
 * UINT16_MAX. Returns how many there are, or -errno. *sparse: one of them has another number than
 * its CPU. *late: frames may come on others as well.
 */
int cpus_number(uint16_t *number_of, unsigned max, bool *sparse, bool *late);

/*
 * Where memory has several nodes with such CPUs, number them anew, so that those of a node follow
 * each other: *maps has a map for each. A node may be without memory: then the kernel takes the
 * next one's. Returns whether there is more than one map.
 */
bool cpus_by_node(uint16_t *number_of, unsigned max, struct ring_maps *maps);
