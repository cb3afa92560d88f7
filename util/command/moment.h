/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A moment, as people write it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * 2026-11-22T14:00:00.5Z; without Z in local time, where seconds and the time of day are optional,
 * and a blank may replace T; up to the year 2554; @SECONDS[.FRACTION] since 1970; -10m (s, m, h, d)
 * before now; now. Sets *ns to ns since 1970.
 */
bool moment_parse(const char *text, uint64_t *ns);
/* 2026-11-22T14:00:00.123456789Z */
#define MOMENT_ROOM 40
void moment_format(uint64_t ns, char to[MOMENT_ROOM]);
