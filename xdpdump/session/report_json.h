/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct status;

/* How the capture stands, or with final went: an object in a line. schema.json.in has it.
 */
void report_json(FILE *to, const struct status *st, bool final);
