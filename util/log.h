/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Messages of libbpf. A library must be silent: between log_begin() and log_end(), libbpf's
 * messages from this thread are kept instead of going to stderr; they are also written to where
 * PCAP_AFXDP_DEBUG says. Then the application's own print function is restored.
 */
#pragma once

void log_begin(void);
/* Returns the messages, including the verifier log of a refused program; free() them. NULL:
 * none. */
char *log_end(void);
/* Write one line to where PCAP_AFXDP_DEBUG says. */
void log_line(const char *line);
