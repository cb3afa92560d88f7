/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The newest records, in so many bytes of memory: what is older makes room. */
#ifndef XDPDUMP_HISTORY_H
#define XDPDUMP_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct epb_header;
struct epb_lengths;

/* All zero: without memory, keeps nothing. */
struct history {
	uint8_t *at;
	size_t room;
	/* Records lie from first to end and from 0 to next if wrapped, else from first to next. */
	size_t first, next, end;
	bool wrapped;
	uint64_t packets;
};

/* -errno. */
int history_open(struct history *h, size_t room);
void history_close(struct history *h);
/* The record, which has these lengths, with the first caplen bytes of its frame. */
void history_keep(struct history *h, const struct epb_header *r, const struct epb_lengths *l,
		  uint32_t caplen);
/* Of all records. */
size_t history_bytes(const struct history *h);
/* NULL: there is none. */
const struct epb_header *history_oldest(const struct history *h);
void history_drop_oldest(struct history *h);

#endif
