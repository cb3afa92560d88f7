/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which addresses, ports and tags a section has: a header of its message, docs/index-format.md. */
#ifndef KAFKA_KEYS_H
#define KAFKA_KEYS_H

#include "index/condition.h"
#include "index/filter.h"

#define KEYS_HEADER "keys"

/*
 * Of a section: the size of the filter. 0: it has none, because it has names or secrets, which
 * packets of other sections may need, or too many keys, or is broken.
 */
size_t keys_make(const uint8_t *section, size_t length, uint8_t to[INDEX_FILTER_ROOM]);
/* May a section have what is asked for? filter: NULL: it has none. */
bool keys_may_match(const struct condition *c, const uint8_t *filter, size_t size);

#endif
