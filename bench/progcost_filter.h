/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

struct sock_filter;

/* A libpcap expression as classic BPF; the caller frees *filter. -1 after telling why. */
int progcost_compile(const char *expression, struct sock_filter **filter, unsigned *n);
