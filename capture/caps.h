/* SPDX-License-Identifier: BSD-3-Clause */
/* Capabilities: which of those a capture needs are missing, and what to type. */
#ifndef PCAP_AFXDP_CAPS_H
#define PCAP_AFXDP_CAPS_H

#include <stddef.h>

/*
 * Write "needs CAP_BPF and CAP_NET_RAW, ...: run as root or type: setcap ..." for what is missing
 * of CAP_BPF, CAP_NET_ADMIN, CAP_NET_RAW and CAP_PERFMON. Returns how many are.
 */
int caps_missing(char *text, size_t size);

#endif
