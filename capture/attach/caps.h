/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Capabilities: which of those a capture needs are missing, and what to type. */
#ifndef PCAP_AFXDP_CAPS_H
#define PCAP_AFXDP_CAPS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Write "CAP_BPF, CAP_NET_RAW missing" for what this process has not of CAP_BPF, CAP_NET_ADMIN,
 * CAP_NET_RAW and CAP_PERFMON. Returns how many are.
 */
int caps_missing(char *text, size_t size);
/* Has this file all four, effective, for whoever may execute it? */
bool caps_of_file(const char *path);
/*
 * Write what is missing and what to type. loader: its path, NULL: it would not open this capture;
 * why: what came of asking it.
 */
void caps_explain(const char *loader, const char *why, char *text, size_t size);

#endif
