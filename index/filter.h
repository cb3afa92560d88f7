/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The keys of some packets in a few bytes, where there is no file for an index:
 * docs/index-format.md. It may have keys that nobody gave it, and lacks none.
 */
#pragma once

#include "index/build.h"

#define INDEX_FILTER_ROOM (8 + 2 * INDEX_GRANULE_KEYS)

/*
 * Of what was built, which is less than two granules, in so many bytes at most. Its size; 0:
 * whoever looks has to read all, also because fewer than 4 bits would be left for a key.
 */
size_t index_filter_make(const struct index_builder *b, uint8_t *to, size_t most);
/* Is it one? */
bool index_filter_is_sound(const uint8_t *filter, size_t size);
/* Of one that is. */
bool index_filter_may_have(const uint8_t *filter, size_t size, uint32_t key);
