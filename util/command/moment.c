/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/command/moment.h"
#include "util/clock.h"

#define NS_PER_S 1000000000u

/* Reads ".5" into ns. Returns the number of characters. */
static size_t fraction(const char *text, uint64_t *ns)
{
	uint64_t unit = NS_PER_S;
	size_t n = 1;

	*ns = 0;
	if (*text != '.')
		return 0;
	for (; text[n] >= '0' && text[n] <= '9'; n++) {
		unit /= 10;
		*ns += unit * (uint64_t)(text[n] - '0');
	}
	return n;
}

static bool parse_seconds(const char *text, uint64_t *ns)
{
	uint64_t seconds, part;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	seconds = strtoull(text, &end, 10);
	end += fraction(end, &part);
	*ns = seconds * NS_PER_S + part;
	return !*end && seconds < UINT64_MAX / NS_PER_S;
}

static bool parse_ago(const char *text, uint64_t *ns)
{
	static const char units[] = "smhd";
	static const uint64_t seconds[] = {1, 60, 3600, 86400};
	uint64_t n, now = clock_wall();
	const char *unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	n = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (!unit || end[1] || n > now / NS_PER_S / seconds[unit - units])
		return false;
	*ns = now - n * seconds[unit - units] * NS_PER_S;
	return true;
}

/* Does the day exist? mktime() would take November 31 for December 1. */
static bool is_day(const struct tm *tm)
{
	struct tm day = {.tm_year = tm->tm_year, .tm_mon = tm->tm_mon, .tm_mday = tm->tm_mday};

	timegm(&day);
	return day.tm_mday == tm->tm_mday;
}

static bool parse_date(const char *text, uint64_t *ns)
{
	static const char *const forms[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S",
					    "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d"};
	const char *end = NULL;
	uint64_t part = 0;
	struct tm tm;
	time_t t;

	for (size_t i = 0; !end && i < sizeof(forms) / sizeof(forms[0]); i++) {
		tm = (struct tm){.tm_isdst = -1};
		end = strptime(text, forms[i], &tm);
		if (end && i < 2)
			end += fraction(end, &part);
		if (end && *end && strcmp(end, "Z") != 0)
			end = NULL;
	}
	if (!end || !is_day(&tm))
		return false;
	t = *end ? timegm(&tm) : mktime(&tm);
	*ns = (uint64_t)t * NS_PER_S + part;
	return t >= 0 && (uint64_t)t < UINT64_MAX / NS_PER_S;
}

bool moment_parse(const char *text, uint64_t *ns)
{
	if (strcmp(text, "now") == 0) {
		*ns = clock_wall();
		return true;
	}
	if (*text == '@')
		return parse_seconds(text + 1, ns);
	if (*text == '-')
		return parse_ago(text + 1, ns);
	return parse_date(text, ns);
}

void moment_format(uint64_t ns, char to[MOMENT_ROOM])
{
	time_t seconds = (time_t)(ns / NS_PER_S);
	struct tm tm;
	size_t n;

	gmtime_r(&seconds, &tm);
	n = strftime(to, MOMENT_ROOM, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(to + n, MOMENT_ROOM - n, ".%09" PRIu64 "Z", ns % NS_PER_S);
}
