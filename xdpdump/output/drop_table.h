/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the host's stack dropped, by reason, function and interface. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct epb_header;

#define DROP_ROWS_MAX 512

struct drop_row {
	uint64_t packets, told; /* of all time; and when an interval was last told */
	char reason[40], place[64], ifname[16];
};

struct drop_table {
	uint64_t packets, told;
	unsigned count; /* rows; packets that found no room in them are in packets alone */
	struct drop_row row[DROP_ROWS_MAX]; /* the most frequent first */
};

/* One packet more, of which this is the record. by_reason: the rows have nothing else. */
void drop_table_count(struct drop_table *t, const struct epb_header *record, bool by_reason);

/* What came since drop_table_next(), in one line with the time, ns since 1970. */
void drop_table_line(const struct drop_table *t, FILE *to, uint64_t time);
void drop_table_json(const struct drop_table *t, FILE *to, uint64_t time);
/* A screen of so many lines at most, over the one that stands there. How many lines it has. */
unsigned drop_table_screen(const struct drop_table *t, FILE *to, uint64_t time, unsigned most);
/* An interval begins. */
void drop_table_next(struct drop_table *t);
