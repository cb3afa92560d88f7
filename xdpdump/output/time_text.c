/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "time_text.h"
#include "util/clock.h"

/* In local time, as tcpdump prints it. */
static const char *second_in_words(struct time_text *t, uint64_t second)
{
	const char *form = t->style == TIME_WITH_DATE ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S";
	time_t time = (time_t)second;
	struct tm tm;

	if (second == t->second && t->words[0])
		return t->words;
	t->second = second;
	if (!localtime_r(&time, &tm) || !strftime(t->words, sizeof(t->words), form, &tm))
		snprintf(t->words, sizeof(t->words), "%" PRIu64, second);
	return t->words;
}

/* The distance can be negative: stamps of two rings are not in order, and a clock can be set back.
 */
static int distance_text(struct time_text *t, char *to, uint64_t ns)
{
	bool back = ns < t->before;
	uint64_t distance = back ? t->before - ns : ns - t->before;
	uint64_t seconds = distance / NS_PER_SEC;

	if (!t->begun)
		distance = seconds = 0;
	if (!t->begun || t->style == TIME_SINCE_LAST)
		t->before = ns;
	back &= t->begun;
	t->begun = true;
	return snprintf(to, TIME_TEXT_MAX, "%c%02" PRIu64 ":%02u:%02u.%09u ", back ? '-' : ' ',
			seconds / 3600, (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60),
			(unsigned)(distance % NS_PER_SEC));
}

size_t time_text(struct time_text *t, char to[TIME_TEXT_MAX], uint64_t ns)
{
	uint64_t second = ns / NS_PER_SEC;
	unsigned rest = (unsigned)(ns % NS_PER_SEC);
	int n = 0;

	if (t->style == TIME_UNIX)
		n = snprintf(to, TIME_TEXT_MAX, "%" PRIu64 ".%09u ", second, rest);
	else if (t->style == TIME_SINCE_LAST || t->style == TIME_SINCE_FIRST)
		n = distance_text(t, to, ns);
	else if (t->style != TIME_NONE)
		n = snprintf(to, TIME_TEXT_MAX, "%s.%09u ", second_in_words(t, second), rest);
	to[n] = 0;
	return (size_t)n;
}
