/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How many packets the host's stack dropped, by reason. */
#ifndef XDPDUMP_REASONS_H
#define XDPDUMP_REASONS_H

#include <stdint.h>
#include <stdio.h>

struct epb_header;

#define REASONS_MAX  256 /* a kernel has less than 200 */
#define REASON_CHARS 40

struct reasons {
	unsigned count;
	struct reason {
		uint64_t packets;
		char name[REASON_CHARS];
	} at[REASONS_MAX];
};

/* One packet more, of which this is the record. */
void reasons_count(struct reasons *r, const struct epb_header *record);
/* The most frequent first: a line for each. */
void reasons_print(FILE *to, const struct reasons *r);
/* The same as a JSON object. */
void reasons_json(FILE *to, const struct reasons *r);

#endif
