/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Writes entries in the form in which the programs search them: bpf/sets.h describes the layout. */
#pragma once

#include "entries.h"
#include "capture/options/options.h"

#define SET_LINES_MAX ((CAPTURE_SETS_LINES_MAX - SETS_FIRST) / 2) /* of one set */

/* Returns how many lines a table takes for these numbers of single addresses and ranges, and for
 * the ports of e, if it has any. */
uint64_t set_table_lines(uint64_t singles, uint64_t ranges, const struct set_entries *e);
/*
 * Write the entries into lines of the map, from first on; the head is in the first line. Sorts e.
 * -ENOSPC: there are too few lines; -ENOMEM.
 */
int set_table_write(void *map, uint32_t first, uint32_t lines, struct set_entries *e);
