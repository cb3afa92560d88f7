/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The interface blocks of the present file, for a source with many interfaces: each record names
 * the block of its interface. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct epb_header;
struct member;
struct reader;
struct source;

/* Write the block of m to the present file. Returns 0 or -errno. */
int reader_put_block(struct reader *r, struct source *s, struct member *m);
/*
 * Prepare a record with a frame of caplen bytes for the output: it gets the number of the block of
 * m, which is written first if the present file does not have it; *more tells if it was written. m
 * NULL: the interface is not known, and the record gets the number of the source's own block.
 * Returns 0 or -errno.
 */
int reader_put_record(struct reader *r, struct source *s, struct member *m,
		      const struct epb_header *record, uint32_t caplen, bool *more);
/* The interface disappeared at this time, in ns since 1970. Records of it may still come. May be
 * called again. */
void reader_leave_member(struct source *s, struct member *m, uint64_t when);
/* Nothing more comes from the interface: write its statistics if the file has its block, and remove
 * m from the table. Returns 0 or -errno. */
int reader_end_member(struct reader *r, struct source *s, struct member *m);
/* The number of such blocks in the present file: each gets statistics when the file ends. */
unsigned reader_member_blocks(const struct reader *r);
/* A new file begins, without these blocks. */
void reader_forget_blocks(struct reader *r);
