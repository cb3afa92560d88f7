/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What libbpf has to say. A library stays silent: between log_begin() and log_end() libbpf's
 * messages of this thread are kept instead of going to stderr; they are written to where
 * PCAP_AFXDP_DEBUG says as well. The application's own print function is put back.
 */
#pragma once

void log_begin(void);
/* The messages, a refused program's verifier log included: yours to free(); NULL for none. */
char *log_end(void);
/* One line, to where PCAP_AFXDP_DEBUG says. */
void log_line(const char *line);
