/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Options of xdp-tools' xdpdump: those for XDP programs that are there already, and those that ours
 * would not need, so that what was written for it goes on working or says why not. 0, or -1 after
 * telling why.
 */
#pragma once

struct options;

int option_load_xdp_program(struct options *o, const char *name, const char *value);
int option_load_xdp_mode(struct options *o, const char *name, const char *value);
int option_programs(struct options *o, const char *name, const char *value);
int option_rx_capture(struct options *o, const char *name, const char *value);
int option_verdict(struct options *o, const char *name, const char *value);
