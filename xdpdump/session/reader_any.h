/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What a reader does about sources of many interfaces: blocks in the file, lines that tell of those
 * that come and go.
 */
#ifndef XDPDUMP_READER_ANY_H
#define XDPDUMP_READER_ANY_H

#include <stdbool.h>
#include <stdint.h>

struct afxdp_member;
struct epb_header;
struct member;
struct reader;
struct source;

/*
 * The record, with so much of its frame, is of this interface: it bears the number of its block
 * from here on, which the file has. *more: it was not there. -errno.
 */
int reader_put_member(struct reader *r, struct source *s, const struct afxdp_member *from,
		      const struct epb_header *record, uint32_t caplen, bool *more);
/* The same of one that is in the table; NULL: nothing is known of it. */
int reader_put_record(struct reader *r, struct source *s, struct member *m,
		      const struct epb_header *record, uint32_t caplen, bool *more);
/* Its block, for the present file. -errno. */
int reader_put_block(struct reader *r, struct source *s, struct member *m);
/* It has gone; records of it may still come for a while. Again is allowed. */
void reader_leave_member(struct source *s, struct member *m);
/* Nothing more comes from it: its last words, if the file knows it. m is gone. -errno. */
int reader_end_member(struct reader *r, struct source *s, struct member *m);
/* "blue/eth0 joins the capture"; netns: NULL: it is ours. */
void reader_tell_member(const struct reader *r, const char *netns, const char *name,
			const char *what);
/* What has come and gone since the last time. first: what there is, of which nothing is told. */
int reader_heed_members(struct reader *r, bool first);
/* Blocks that end with the file. */
unsigned reader_member_blocks(const struct reader *r);
/* The next file begins without them. */
void reader_forget_blocks(struct reader *r);

#endif
