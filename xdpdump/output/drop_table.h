/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Counts packets that the host's stack dropped, by reason, function and interface. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct epb_header;

#define DROP_ROWS_MAX 512

struct drop_row {
	uint64_t packets, told; /* in total; and of these, before this interval */
	char reason[40], place[64], ifname[16];
};

struct drop_table {
	uint64_t packets, told;
	unsigned count; /* of rows; packets that have no room in a row count in .packets only */
	struct drop_row row[DROP_ROWS_MAX]; /* the most frequent first */
};

/* Count the packet of this record. by_reason: rows are by reason alone, without function and
 * interface. */
void drop_table_count(struct drop_table *t, const struct epb_header *record, bool by_reason);

/* Print the drops since drop_table_next() in one line. time is in ns since 1970. */
void drop_table_line(const struct drop_table *t, FILE *to, uint64_t time);
void drop_table_json(const struct drop_table *t, FILE *to, uint64_t time);
/* Print a screen of at most this many lines, or 4 if that is more, over the previous one. Returns
 * how many lines it has. */
unsigned drop_table_screen(const struct drop_table *t, FILE *to, uint64_t time, unsigned most);
/* Begin a new interval. */
void drop_table_next(struct drop_table *t);
