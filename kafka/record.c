/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "kafka/record.h"

#define HEAD 40
/* Where each stands, all of them little endian. */
enum { AT_OFFSET = 8, AT_TIME = 16, AT_PARTITION = 24, AT_BYTES = 28, AT_LABEL = 32, AT_KEYS = 34 };
static const uint8_t magic[8] = {'p', 'c', 'k', 's', 'e', 'c', 1, 0};

static void put(uint8_t *to, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t take(const uint8_t *from, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)from[i] << 8 * i;
	return v;
}

void record_place(uint8_t *record, uint32_t partition, uint64_t offset)
{
	put(record + AT_OFFSET, offset, 8);
	put(record + AT_PARTITION, partition, 4);
}

size_t record_format(const struct record *r, uint8_t to[RECORD_ROOM])
{
	size_t label = label_brief(&r->label, (char *)to + HEAD);
	size_t keys = r->keys_size <= KEYS_FEW_ROOM ? r->keys_size : 0;

	memset(to, 0, HEAD);
	memcpy(to, magic, sizeof(magic));
	record_place(to, r->partition, r->offset);
	put(to + AT_TIME, r->time, 8);
	put(to + AT_BYTES, r->bytes, 4);
	put(to + AT_LABEL, label, 2);
	put(to + AT_KEYS, keys, 2);
	if (keys)
		memcpy(to + HEAD + label, r->keys, keys);
	return HEAD + label + keys;
}

bool record_parse(struct record *r, const uint8_t *from, size_t size)
{
	size_t label;

	if (size < HEAD || memcmp(from, magic, sizeof(magic)) != 0)
		return false;
	label = take(from + AT_LABEL, 2);
	r->keys_size = take(from + AT_KEYS, 2);
	if (size - HEAD < label || size - HEAD - label < r->keys_size)
		return false;
	r->offset = take(from + AT_OFFSET, 8);
	r->time = take(from + AT_TIME, 8);
	r->partition = (uint32_t)take(from + AT_PARTITION, 4);
	r->bytes = (uint32_t)take(from + AT_BYTES, 4);
	r->keys = r->keys_size ? from + HEAD + label : NULL;
	return label_parse(&r->label, (const char *)from + HEAD, label);
}
