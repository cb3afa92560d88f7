/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How a reader follows a source of many network namespaces, which the keeper reports. */
#ifndef XDPDUMP_READER_SPACES_H
#define XDPDUMP_READER_SPACES_H

#include <stdbool.h>
#include <stdint.h>

struct epb_header;
struct reader;
struct source;

/* Is this record of an interface that is wanted? If not, it is counted as refused. */
bool reader_is_of_spaces(struct reader *r, struct source *s, const struct epb_header *record);
/* As reader_put_member(). */
int reader_put_of_spaces(struct reader *r, struct source *s, const struct epb_header *record,
			 uint32_t caplen, bool *more);
/* As reader_heed_members(); first: waits until the keeper has reported all that exist. */
int reader_heed_spaces(struct reader *r, bool first);

#endif
