/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What options mean together, once all are read. */
#pragma once

struct options;

/* 0, or -1 after telling what does not go together. */
int options_combine(struct options *o);
