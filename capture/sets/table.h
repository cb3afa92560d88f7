/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Entries as the programs look for them: bpf/sets.h has the layout. */
#pragma once

#include "entries.h"
#include "capture/options/options.h"

#define SET_LINES_MAX ((CAPTURE_SETS_LINES_MAX - SETS_FIRST) / 2) /* of one set */

/* Lines that these entries take, of which so many are single, so many are ranges, and some may be
 * ports. */
uint64_t set_table_lines(uint64_t singles, uint64_t ranges, const struct set_entries *e);
/*
 * Write them into lines of the map from first on, the head into the first one. e is put in order.
 * -ENOSPC: they need more than there are; -ENOMEM.
 */
int set_table_write(void *map, uint32_t first, uint32_t lines, struct set_entries *e);
