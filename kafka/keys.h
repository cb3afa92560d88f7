/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which addresses, ports and tags a section has: a header of its message, docs/index-format.md. */
#pragma once

#include "index/condition.h"
#include "index/filter.h"

#define KEYS_HEADER "keys"

/* Of an index record a section of 900 KB has so much. */
#define KEYS_FEW_ROOM 1024

struct keys {
	size_t size, few_size; /* 0: there is none */
	uint8_t all[INDEX_FILTER_ROOM];
	uint8_t few[KEYS_FEW_ROOM]; /* a thousandth of the section at most */
};

/*
 * Of a section. It has none if it has names or secrets, which packets of other sections may need,
 * or too many keys, or is broken.
 */
void keys_make(const uint8_t *section, size_t length, struct keys *to);
/* May a section have what is asked for? filter: NULL: it has none. */
bool keys_may_match(const struct condition *c, const uint8_t *filter, size_t size);
