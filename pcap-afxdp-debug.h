/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Debugging output, for bug reports and tests. PCAP_AFXDP_DEBUG says where it
 * goes: an absolute path is a file that lines are appended to, "syslog:" is the
 * system's log, any other text means standard error; empty or "0" turns it off.
 * If the file cannot be used, the lines and the reason go to the system's log,
 * because standard error may carry a protocol of the application, as dumpcap's
 * does.
 *
 * This is also compiled into libafxdpcapture, so it uses the C library alone.
 */
#ifndef PCAP_AFXDP_DEBUG_H
#define PCAP_AFXDP_DEBUG_H

#include <stdbool.h>

bool pcap_is_debugging_afxdp(void);
/* If debugging is on, write one line, with "pcap-afxdp: " in front. */
void pcap_debug_afxdp(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* If debugging is on, write whole lines as they are. */
void pcap_debug_lines_afxdp(const char *lines);

#endif
