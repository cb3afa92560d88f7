/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The time in front of a line, in the forms of tcpdump. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By how often -t was given. */
enum time_style {
	TIME_OF_DAY,
	TIME_NONE,
	TIME_UNIX,
	TIME_SINCE_LAST, /* line */
	TIME_WITH_DATE,
	TIME_SINCE_FIRST,
	TIME_STYLES
};

#define TIME_TEXT_MAX 40 /* bytes of it at most, a blank and a final 0 included */

struct time_text {
	enum time_style style;
	bool begun;
	uint64_t before; /* the time that the next one is printed relative to */
	/* The last second that was asked for, in words: asking for it costs more than all else. */
	uint64_t second;
	char words[TIME_TEXT_MAX];
};

/* ns since 1970, and a blank; its length. */
size_t time_text(struct time_text *t, char to[TIME_TEXT_MAX], uint64_t ns);
