/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Apart from opener.c, which sees pcap/bpf.h. */
#pragma once

/* How many programs the interface has at XDP and tc. */
unsigned hooked(unsigned ifindex);
