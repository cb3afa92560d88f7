/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/clock.h"
#include "names.h"

#define NUMBER_WIDTH 5 /* as dumpcap writes it */

static int expand(const struct names *n, uint64_t time, char *text, size_t size)
{
	time_t t = (time_t)(time / NS_PER_SEC);
	struct tm local;

	if (!strchr(n->pattern, '%'))
		return (size_t)snprintf(text, size, "%s", n->pattern) < size ? 0 : -ENAMETOOLONG;
	if (!localtime_r(&t, &local))
		return -EOVERFLOW;
	text[0] = 0;
	if (strlen(n->pattern) >= size)
		return -ENAMETOOLONG;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (strftime(text, size, n->pattern, &local))
		return 0;
#pragma GCC diagnostic pop
	return -ENAMETOOLONG;
}

const char *names_suffix(const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	const char *dot = strrchr(base, '.');

	return dot && dot > base ? dot : base + strlen(base);
}

static size_t put_dumpcap(const struct names *n, const char *text, uint64_t time, char *name,
			  size_t size)
{
	const char *suffix = names_suffix(text);
	time_t t = (time_t)(time / NS_PER_SEC);
	struct tm local = {0};
	char stamp[32] = "";

	localtime_r(&t, &local);
	strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", &local);
	return (size_t)snprintf(name, size, "%.*s_%0*" PRIu64 "_%s%s", (int)(suffix - text), text,
				NUMBER_WIDTH, n->count, stamp, suffix);
}

static int width_of(uint64_t largest)
{
	return snprintf(NULL, 0, "%" PRIu64, largest);
}

static size_t put_name(struct names *n, const char *text, uint64_t time, char *name, size_t size)
{
	switch (n->style) {
	case NAMES_DUMPCAP:
		return put_dumpcap(n, text, time, name, size);
	case NAMES_NUMBERED:
		return (size_t)snprintf(name, size, "%s%0*" PRIu64, text, width_of(n->wrap - 1),
					(n->count - 1) % n->wrap);
	default:
		n->again = strcmp(text, n->last) == 0 ? n->again + 1 : 0;
		strcpy(n->last, text);
		return n->again ? (size_t)snprintf(name, size, "%s%" PRIu64, text, n->again)
				: (size_t)snprintf(name, size, "%s", text);
	}
}

int names_next(struct names *n, uint64_t time, char *name, size_t size)
{
	char text[PATH_MAX];
	int e = expand(n, time, text, sizeof(text));

	if (e)
		return e;
	n->count++;
	return put_name(n, text, time, name, size) < size ? 0 : -ENAMETOOLONG;
}

/* For a date that is long in words and in numbers, and with a number wherever there may be one. */
int names_longest(const struct names *n, char *name, size_t size)
{
	struct tm day = {.tm_year = 126, .tm_mon = 8, .tm_mday = 30, .tm_hour = 22, .tm_min = 22};
	struct names later = *n;
	uint64_t time = (uint64_t)mktime(&day) * NS_PER_SEC;
	int e = expand(n, time, later.last, sizeof(later.last));

	later.count = later.again = strtoull(NAMES_MANY, NULL, 10) - 1;
	return e ? e : names_next(&later, time, name, size);
}
