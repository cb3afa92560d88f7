/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "index/filter.h"

/*
 * B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970: with 16 bits and
 * 4 probes per key, one in 400 absent keys seems to be there.
 */
#define PROBES	      4
#define BYTES_FOR_KEY 2
#define KEYS_FOR_BYTE 2 /* where room is short: one in 6 absent keys seems to be there */
#define HEAD	      8
static const uint8_t head[HEAD] = {'p', 'c', 'k', 'e', 'y', 's', 1, 0};

/* Bit number of a probe. A key is a hash already. */
static uint64_t probe(uint32_t key, unsigned number, size_t bytes)
{
	uint32_t step = (key * 0x9e3779b1u) | 1;

	return ((uint64_t)(key + number * step) * (bytes * 8)) >> 32;
}

size_t index_filter_make(const struct index_builder *b, uint8_t *to, size_t most)
{
	const struct index *x = &b->index;
	size_t bytes = BYTES_FOR_KEY * (x->entries + !x->entries);

	if (b->error || x->entries > INDEX_GRANULE_KEYS || most < HEAD + BYTES_FOR_KEY)
		return 0;
	if (bytes > most - HEAD)
		bytes = most - HEAD;
	if (bytes < x->entries / KEYS_FOR_BYTE)
		return 0;
	for (uint64_t i = 0; i < x->granules; i++)
		if (x->granule[i].flags & GRANULE_SCAN)
			return 0;
	memcpy(to, head, HEAD);
	memset(to + HEAD, 0, bytes);
	for (uint64_t i = 0; i < x->entries; i++)
		for (unsigned n = 0; n < PROBES; n++) {
			uint64_t bit = probe((uint32_t)(b->entry[i] >> 32), n, bytes);

			to[HEAD + bit / 8] |= (uint8_t)(1u << bit % 8);
		}
	return HEAD + bytes;
}

bool index_filter_is_sound(const uint8_t *filter, size_t size)
{
	return size > HEAD && size <= INDEX_FILTER_ROOM && memcmp(filter, head, HEAD) == 0;
}

bool index_filter_may_have(const uint8_t *filter, size_t size, uint32_t key)
{
	for (unsigned n = 0; n < PROBES; n++) {
		uint64_t bit = probe(key, n, size - HEAD);

		if (!(filter[HEAD + bit / 8] >> bit % 8 & 1))
			return false;
	}
	return true;
}
