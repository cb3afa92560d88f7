/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#ifndef XDPDUMP_REPORT_JSON_H
#define XDPDUMP_REPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

struct status;

/* How the capture stands, or with final went: an object in a line. schema.json.in has it.
 */
void report_json(FILE *to, const struct status *st, bool final);

#endif
