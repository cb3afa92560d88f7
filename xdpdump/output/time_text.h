/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Prints the time before a line, in the formats of tcpdump. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Indexed by how often -t was given. */
enum time_style {
	TIME_OF_DAY,
	TIME_NONE,
	TIME_UNIX,
	TIME_SINCE_LAST, /* line */
	TIME_WITH_DATE,
	TIME_SINCE_FIRST,
	TIME_STYLES
};

#define TIME_TEXT_MAX 40 /* bytes, including a blank and a final 0 */

struct time_text {
	enum time_style style;
	bool begun;
	uint64_t before; /* the time from which the next one is counted */
	/* The last second that was printed, and its text, kept because making that text costs more
	 * than all else. */
	uint64_t second;
	char words[TIME_TEXT_MAX];
};

/* Write the time, in ns since 1970, and a blank. Returns the length. */
size_t time_text(struct time_text *t, char to[TIME_TEXT_MAX], uint64_t ns);
