/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Capabilities: which ones a capture lacks, and what the user can type. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Write "CAP_BPF, CAP_NET_RAW missing": those of CAP_BPF, CAP_NET_ADMIN, CAP_NET_RAW and
 * CAP_PERFMON that this process lacks. Returns how many. CAP_SYS_ADMIN includes the first and the
 * last.
 */
int caps_missing(char *text, size_t size);
/* Does this file give all four to those who execute it, and make them effective? */
bool caps_of_file(const char *path);
/*
 * Write what is missing and what to type. loader: the path of the loader, or NULL if it cannot open
 * this capture; why: why it did not.
 */
void caps_explain(const char *loader, const char *why, char *text, size_t size);
