/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Names of files that follow each other. */
#pragma once

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Behind the name of --metrics until that file is whole, because node_exporter reads *.prom. */
#define METRICS_NEW ".new"
#define PART_ENDING ".part"

/*
 * NAMES_PLAIN: the pattern as strftime() expands it, with a number behind it where that gave the
 * same name as before. NAMES_NUMBERED: always with a number, of fixed width, below wrap.
 * NAMES_DUMPCAP: number and time in front of the suffix.
 */
enum names_style { NAMES_PLAIN, NAMES_NUMBERED, NAMES_DUMPCAP };

struct names {
	const char *pattern;
	enum names_style style;
	uint64_t wrap;	       /* of NAMES_NUMBERED */
	uint64_t count, again; /* names given; of these, in a row for the same expansion */
	char last[PATH_MAX];
};

/*
 * size: so that there is room behind it for the suffix of a temporary name. -ENAMETOOLONG;
 * -EOVERFLOW: the year is too large.
 */
int names_next(struct names *n, uint64_t time, char *name, size_t size);
/* The longest that can come, where no capture has so many files: */
#define NAMES_MANY "9999999999"
int names_longest(const struct names *n, char *name, size_t size);
/* The suffix of the last part of the path, from its dot on, or the end. */
const char *names_suffix(const char *name);
