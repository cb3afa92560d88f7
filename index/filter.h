/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The keys of some packets in a few bytes, where no index file is possible: a Bloom filter,
 * docs/index-format.md. It may seem to have keys that it does not have, but it misses none.
 */
#pragma once

#include "index/build.h"

#define INDEX_FILTER_ROOM (8 + 2 * INDEX_GRANULE_KEYS)

/*
 * Makes a filter of at most `most` bytes from what was built, which must be less than two granules.
 * Returns its size; 0: there is no filter, and whoever searches must read all; for example because
 * a key would have fewer than 4 bits.
 */
size_t index_filter_make(const struct index_builder *b, uint8_t *to, size_t most);
/* Is this a filter? */
bool index_filter_is_sound(const uint8_t *filter, size_t size);
/* May the filter have this key? Only for a filter that is sound. */
bool index_filter_may_have(const uint8_t *filter, size_t size, uint32_t key);
