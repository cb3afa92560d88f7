/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Values of options. All return 0, or -1 after telling what is wrong; name is the option's. */
#pragma once

#include <stdint.h>

struct options;

/* A decimal number within the bounds. */
int value_number(uint64_t *n, const char *name, const char *value, uint64_t min, uint64_t max);
/* A size in bytes with K, M or G behind it; without, in the unit. */
int value_size(uint64_t *bytes, const char *name, const char *value, uint64_t unit);
/* A size, or a share of the file system: 90%. The other of the two becomes 0. */
int value_size_or_share(uint64_t *bytes, unsigned *percent, const char *name, const char *value);

/* Options about how packets are written, for the table in options.c. */
/* dumpcap's -a and -b: a condition, a colon and a value. */
int option_stop(struct options *o, const char *name, const char *value);
int option_rotation(struct options *o, const char *name, const char *value);
/* value: the level; NULL: none was given. */
int option_zstd(struct options *o, const char *name, const char *value);
/* value: a command; NULL: tcpdump. */
int option_who(struct options *o, const char *name, const char *value);
int option_process(struct options *o, const char *name, const char *value);
int option_cgroup(struct options *o, const char *name, const char *value);
int option_drops(struct options *o, const char *name, const char *value);
int option_drop_reasons(struct options *o, const char *name, const char *value);
int option_decode(struct options *o, const char *name, const char *value);
int option_pre_trigger(struct options *o, const char *name, const char *value);
int option_trigger(struct options *o, const char *name, const char *value);

/*
 * Options of xdp-tools' xdpdump: those for XDP programs that are there already, and those that ours
 * would not need, so that what was written for it goes on working or says why not.
 */
int option_load_xdp_program(struct options *o, const char *name, const char *value);
int option_load_xdp_mode(struct options *o, const char *name, const char *value);
int option_programs(struct options *o, const char *name, const char *value);
int option_rx_capture(struct options *o, const char *name, const char *value);
int option_verdict(struct options *o, const char *name, const char *value);
