/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Interfaces of a source that has many, in the present file: each has a block, which its records
 * name.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct epb_header;
struct member;
struct reader;
struct source;

/* Its block, for the present file. -errno. */
int reader_put_block(struct reader *r, struct source *s, struct member *m);
/*
 * The record, with so much of its frame, bears the number of its block from here on, which the file
 * has; NULL: nothing is known of the interface. *more: it was not there. -errno.
 */
int reader_put_record(struct reader *r, struct source *s, struct member *m,
		      const struct epb_header *record, uint32_t caplen, bool *more);
/* It has gone at that time, in ns since 1970; records of it may still come. Again is allowed. */
void reader_leave_member(struct source *s, struct member *m, uint64_t when);
/* Nothing more comes from it: its last words, if the file knows it. m is gone. -errno. */
int reader_end_member(struct reader *r, struct source *s, struct member *m);
/* Blocks that end with the file. */
unsigned reader_member_blocks(const struct reader *r);
/* The next file begins without them. */
void reader_forget_blocks(struct reader *r);
