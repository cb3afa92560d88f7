/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A moment, as people write it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * 2026-11-22T14:00:00.5Z; without Z the local time, from which seconds, and the time of day, may be
 * left off, and in which a blank may stand for T, up to 2554; @SECONDS[.FRACTION] since 1970; -10m
 * (s, m, h, d) before this moment; now. In ns since 1970.
 */
bool moment_parse(const char *text, uint64_t *ns);
/* 2026-11-22T14:00:00.123456789Z */
#define MOMENT_ROOM 40
void moment_format(uint64_t ns, char to[MOMENT_ROOM]);
