/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Apart from opener.c, which sees pcap/bpf.h. */
#ifndef TESTS_FAULTS_HOOKED_H
#define TESTS_FAULTS_HOOKED_H

/* How many programs the interface has at XDP and tc. */
unsigned hooked(unsigned ifindex);

#endif
