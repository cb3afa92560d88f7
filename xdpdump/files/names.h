/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Names of the files of a capture, one after the other. */
#pragma once

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Behind the name of --metrics until that file is whole, because node_exporter reads *.prom. */
#define METRICS_NEW ".new"
#define PART_ENDING ".part"

/*
 * NAMES_PLAIN: the pattern as strftime() expands it, with a number appended if that gives the same
 * name as before. NAMES_NUMBERED: always with a number of fixed width, below wrap. NAMES_DUMPCAP:
 * with number and time in front of the suffix.
 */
enum names_style { NAMES_PLAIN, NAMES_NUMBERED, NAMES_DUMPCAP };

struct names {
	const char *pattern;
	enum names_style style;
	uint64_t wrap;	       /* for NAMES_NUMBERED */
	uint64_t count, again; /* names given; how many of the last ones had the same expansion */
	char last[PATH_MAX];
};

/*
 * Make the next name. size: of name, less what the suffix of a temporary name needs. Returns 0;
 * -ENAMETOOLONG; -EOVERFLOW: the year is too large.
 */
int names_next(struct names *n, uint64_t time, char *name, size_t size);
/* The longest name that can come, with a number that no capture reaches: */
#define NAMES_MANY "9999999999"
int names_longest(const struct names *n, char *name, size_t size);
/* Returns the suffix of the last part of the path, from its dot on, or the end of name. */
const char *names_suffix(const char *name);
