/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/clock.h"
#include "xdpdump/os/complain.h"
#include "option_values.h"
#include "options.h"

#define SECONDS_MAX 1000000000u /* 31 years; in ns it fits where it has to */
#define FILES_MAX   100000u

static bool is_number(const char *value)
{
	return *value >= '0' && *value <= '9';
}

int value_number(uint64_t *n, const char *name, const char *value, uint64_t min, uint64_t max)
{
	char *end;

	errno = 0;
	*n = strtoull(value, &end, 10);
	if (is_number(value) && !*end && !errno && *n >= min && *n <= max)
		return 0;
	return refuse(-1, "%s takes a number from %" PRIu64 " to %" PRIu64 ", not \"%s\"", name,
		      min, max, value);
}

int value_seconds(uint64_t *ns, const char *name, const char *value)
{
	bool plain = strpbrk(value, "0123456789") && !value[strspn(value, "0123456789.")];
	char *end;
	double s = plain ? strtod(value, &end) : 0;

	*ns = 0;
	if (plain && !*end && s >= 0.001 && s <= SECONDS_MAX) {
		*ns = (uint64_t)(s * NS_PER_SEC);
		return 0;
	}
	return refuse(-1, "%s takes seconds from 0.001 to %u, not \"%s\"", name, SECONDS_MAX,
		      value);
}

static uint64_t unit_of(const char *letter, uint64_t otherwise)
{
	switch (*letter) {
	case 'k':
	case 'K':
		return 1u << 10;
	case 'm':
	case 'M':
		return 1u << 20;
	case 'g':
	case 'G':
		return 1u << 30;
	default:
		return otherwise;
	}
}

int value_size(uint64_t *bytes, const char *name, const char *value, uint64_t unit)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(value, &end, 10);
	if (is_number(value) && !errno && n && (!*end || (unit_of(end, 0) && !end[1]))) {
		unit = unit_of(end, unit);
		*bytes = n * unit;
		if (n <= INT64_MAX / unit)
			return 0;
	}
	return refuse(-1, "%s takes a size such as 100M, not \"%s\"", name, value);
}

int value_size_or_share(uint64_t *bytes, unsigned *percent, const char *name, const char *value)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	*bytes = 0;
	*percent = 0;
	if (strcmp(end, "%") != 0)
		return value_size(bytes, name, value, 1);
	if (is_number(value) && n >= 1 && n <= 100) {
		*percent = (unsigned)n;
		return 0;
	}
	return refuse(-1, "%s takes from 1%% to 100%%, not \"%s\"", name, value);
}

static int kilobytes(uint64_t *to, const char *name, const char *value)
{
	return value_size(to, name, value, 1000);
}

int value_whole_seconds(uint64_t *to, const char *name, const char *value)
{
	int e = value_number(to, name, value, 1, SECONDS_MAX);

	*to *= NS_PER_SEC;
	return e;
}

static int count(uint64_t *to, const char *name, const char *value)
{
	return value_number(to, name, value, 1, INT64_MAX);
}

static int files(uint64_t *to, const char *name, const char *value)
{
	return value_number(to, name, value, 1, FILES_MAX);
}

/* Of what ends a capture, all but the last, or a file. */
static const struct condition {
	const char *name;
	int (*set)(uint64_t *to, const char *name, const char *value);
	size_t at; /* in struct limits */
} conditions[] = {
	{"duration", value_seconds, offsetof(struct limits, duration)},
	{"filesize", kilobytes, offsetof(struct limits, bytes)},
	{"files", files, offsetof(struct limits, files)},
	{"packets", count, offsetof(struct limits, packets)},
	{"interval", value_whole_seconds, offsetof(struct limits, interval)},
};
#define CONDITIONS (sizeof(conditions) / sizeof(conditions[0]))

/* "duration:10" by the first rows of the table. */
static int set_condition(struct limits *to, size_t rows, const char *known, const char *name,
			 const char *value)
{
	size_t n = strcspn(value, ":");
	char full[64];

	for (size_t i = 0; i < rows && value[n]; i++) {
		const struct condition *c = &conditions[i];

		if (strlen(c->name) != n || strncmp(c->name, value, n) != 0)
			continue;
		snprintf(full, sizeof(full), "%s %s", name, c->name);
		return c->set((uint64_t *)((char *)to + c->at), full, value + n + 1);
	}
	return refuse(-1, "%s takes %s, a colon and a value, not \"%s\"", name, known, value);
}

int value_stop(struct options *o, const char *name, const char *value)
{
	return set_condition(&o->stop, CONDITIONS - 1, "duration, filesize, files or packets", name,
			     value);
}

int value_rotation(struct options *o, const char *name, const char *value)
{
	static const char printname[] = "printname:";

	o->files.dumpcap_names = true;
	if (strncmp(value, printname, sizeof(printname) - 1) != 0)
		return set_condition(&o->files.each, CONDITIONS,
				     "duration, filesize, files, packets, interval or printname",
				     name, value);
	o->files.print_name = value + sizeof(printname) - 1;
	if (*o->files.print_name)
		return 0;
	return refuse(-1, "%s printname needs a file, or - for standard output", name);
}
