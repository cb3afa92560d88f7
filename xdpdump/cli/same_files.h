/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

struct options;

/* No file that is written may be another one of these: one would destroy it. -1 after telling. */
int same_files_check(const struct options *o);
