/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What is otherwise not visible, for bug reports and tests. PCAP_AFXDP_DEBUG
 * says where it goes: an absolute path is a file that lines are appended to,
 * "syslog:" the system's log, any other text standard error; empty or 0, it is
 * not written. A file that cannot be had is the system's log, which is told
 * why: standard error may be a protocol of the application's, as dumpcap's is.
 *
 * Also in libafxdpcapture: of the C library alone.
 */
#ifndef PCAP_AFXDP_DEBUG_H
#define PCAP_AFXDP_DEBUG_H

#include <stdbool.h>

bool pcap_is_debugging_afxdp(void);
/* If so, one line, with "pcap-afxdp: " in front. */
void pcap_debug_afxdp(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* If so, whole lines, as they are. */
void pcap_debug_lines_afxdp(const char *lines);

#endif
