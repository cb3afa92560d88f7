/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * How a reader follows the interfaces of a source that has many: of `any' and of patterns, which
 * the library reports, and of many network namespaces, which the keeper reports.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct afxdp_member;
struct epb_header;
struct reader;
struct source;

/* Is this record of an interface that is wanted? If not, it is counted as refused. *from: which. */
bool reader_wants(struct reader *r, struct source *s, const struct epb_header *record,
		  struct afxdp_member *from);
/* As reader_put_record(), of one that is wanted. */
int reader_put_member(struct reader *r, struct source *s, const struct afxdp_member *from,
		      const struct epb_header *record, uint32_t caplen, bool *more);
/*
 * What has come and gone since the last time. first: what there is, of which nothing is told; waits
 * until the keeper has reported all of it. -errno; -EOWNERDEAD is told.
 */
int reader_heed_members(struct reader *r, bool first);
