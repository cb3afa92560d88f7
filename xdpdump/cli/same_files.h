/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

struct options;

/* Refuse options that name the same file twice if one of them is written, because that would
 * destroy the other. Returns 0, or -1 after telling which. */
int same_files_check(const struct options *o);
