/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Values of options. All return 0, or -1 after telling what is wrong; name is the option's. */
#pragma once

#include <stdint.h>

struct options;

/* A decimal number within the bounds. */
int value_number(uint64_t *n, const char *name, const char *value, uint64_t min, uint64_t max);
/* Seconds, fractions allowed, into ns. */
int value_seconds(uint64_t *ns, const char *name, const char *value);
int value_whole_seconds(uint64_t *ns, const char *name, const char *value);
/* A size in bytes with K, M or G behind it; without, in the unit. */
int value_size(uint64_t *bytes, const char *name, const char *value, uint64_t unit);
/* A size, or a share of the file system: 90%. The other of the two becomes 0. */
int value_size_or_share(uint64_t *bytes, unsigned *percent, const char *name, const char *value);

/* dumpcap's -a and -b: a condition, a colon and a value. */
int value_stop(struct options *o, const char *name, const char *value);
int value_rotation(struct options *o, const char *name, const char *value);
