/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The keys of a section: which addresses, ports and tags it has. They go into a header of its
 * message: docs/index-format.md. */
#pragma once

#include "index/condition.h"
#include "index/filter.h"

#define KEYS_HEADER "keys"

/* At most this many bytes of keys go into an index record. A section of 900 KB gets 900. */
#define KEYS_FEW_ROOM 1024

struct keys {
	size_t size, few_size; /* 0: no keys */
	uint8_t all[INDEX_FILTER_ROOM];
	uint8_t few[KEYS_FEW_ROOM]; /* at most a thousandth of the section, or 64 bytes */
};

/*
 * Makes the keys of a section. A section gets none if it has names or secrets, because packets of
 * other sections may need those, or if it has too many keys, or is broken.
 */
void keys_make(const uint8_t *section, size_t length, struct keys *to);
/* May a section with these keys have a packet that meets the condition? filter: NULL: it has no
 * keys, so it may. */
bool keys_may_match(const struct condition *c, const uint8_t *filter, size_t size);
