/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/os/complain.h"
#include "option_values.h"

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
