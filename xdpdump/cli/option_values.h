/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Read values of options. name is the option as the user typed it. All functions return 0, or -1
 * after telling what is wrong. */
#pragma once

#include <stdint.h>

struct options;

/* Read a decimal number from min to max. */
int value_number(uint64_t *n, const char *name, const char *value, uint64_t min, uint64_t max);
/* Read a size with K, M or G after it; without a letter, in this unit of bytes. */
int value_size(uint64_t *bytes, const char *name, const char *value, uint64_t unit);
/* Read a size, or a share of the file system such as 90%. Sets the one that was not given to 0. */
int value_size_or_share(uint64_t *bytes, unsigned *percent, const char *name, const char *value);

/* Options with code of their own, for the table in options.c. */
/* -a and -b as in dumpcap: a condition, a colon and a value. */
int option_stop(struct options *o, const char *name, const char *value);
int option_rotation(struct options *o, const char *name, const char *value);
/* value: LEVEL, "seekable", or both; NULL: none was given. */
int option_zstd(struct options *o, const char *name, const char *value);
/* In these, value may be NULL if the value is optional. */
int option_who(struct options *o, const char *name, const char *value);
int option_process(struct options *o, const char *name, const char *value);
int option_cgroup(struct options *o, const char *name, const char *value);
int option_drops(struct options *o, const char *name, const char *value);
int option_drop_reasons(struct options *o, const char *name, const char *value);
int option_decode(struct options *o, const char *name, const char *value);
int option_pre_trigger(struct options *o, const char *name, const char *value);
int option_trigger(struct options *o, const char *name, const char *value);

/* Options of xdpdump from xdp-tools: those for XDP programs that already run, and those that ours
 * does not need. Scripts that were written for that xdpdump go on working, or are told why not. */
int option_load_xdp_program(struct options *o, const char *name, const char *value);
int option_load_xdp_mode(struct options *o, const char *name, const char *value);
int option_programs(struct options *o, const char *name, const char *value);
int option_rx_capture(struct options *o, const char *name, const char *value);
int option_verdict(struct options *o, const char *name, const char *value);
