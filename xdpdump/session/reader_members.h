/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How a reader follows the interfaces of a source that has many: for `any' and patterns the library
 * reports them, for many network namespaces the keeper does. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct afxdp_member;
struct epb_header;
struct reader;
struct source;

/* Is this record from an interface that is wanted? *from: which one. If not, the record is counted
 * as refused. */
bool reader_wants(struct reader *r, struct source *s, const struct epb_header *record,
		  struct afxdp_member *from);
/* The same as reader_put_record(), for a record that reader_wants(). */
int reader_put_member(struct reader *r, struct source *s, const struct afxdp_member *from,
		      const struct epb_header *record, uint32_t caplen, bool *more);
/* Handle the interfaces that have appeared and disappeared since the last call. first: those that
 * exist are not reported to the user; waits until the keeper has listed all of them. Returns 0, or
 * -errno; of these, only -EOWNERDEAD was told. */
int reader_heed_members(struct reader *r, bool first);
