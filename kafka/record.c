/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "kafka/record.h"

#define MAGIC 6 /* then a byte with the version */
#define NOW   2
static const uint8_t magic[MAGIC] = {'p', 'c', 'k', 's', 'e', 'c'};

size_t record_format(const struct record *r, uint8_t to[RECORD_ROOM])
{
	size_t keys = r->keys_size <= KEYS_FEW_ROOM ? r->keys_size : 0;
	size_t used = MAGIC;

	memcpy(to, magic, MAGIC);
	to[used++] = NOW;
	used += varint_put(to + used, r->bytes);
	used += varint_put(to + used, r->time);
	used += label_pack(&r->label, to + used);
	used += varint_put(to + used, keys);
	if (keys)
		memcpy(to + used, r->keys, keys);
	return used + keys;
}

size_t record_place(uint8_t *record, size_t size, uint32_t partition, uint64_t offset)
{
	size += varint_put(record + size, partition);
	return size + varint_put(record + size, offset);
}

static bool take_keys(struct record *r, struct varint_reader *from)
{
	uint64_t size;

	if (!varint_take(from, &size) || size > (size_t)(from->end - from->at))
		return false;
	r->keys_size = (size_t)size;
	r->keys = size ? from->at : NULL;
	from->at += size;
	return true;
}

static bool parse(struct record *r, struct varint_reader from)
{
	uint64_t bytes, partition;
	size_t label;

	if (!varint_take(&from, &bytes) || !varint_take(&from, &r->time))
		return false;
	label = label_unpack(&r->label, from.at, (size_t)(from.end - from.at));
	from.at += label;
	if (!label || !take_keys(r, &from) || !varint_take(&from, &partition) ||
	    !varint_take(&from, &r->offset))
		return false;
	r->bytes = (uint32_t)bytes;
	r->partition = (uint32_t)partition;
	return bytes <= UINT32_MAX && partition <= UINT32_MAX && from.at == from.end;
}

/* Version 1, which has the label as text. */
enum { AT_OFFSET = 8, AT_TIME = 16, AT_PARTITION = 24, AT_BYTES = 28, AT_LABEL = 32, AT_KEYS = 34 };
#define HEAD 40

static uint64_t number(const uint8_t *from, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)from[i] << 8 * i;
	return v;
}

static bool parse_first_version(struct record *r, const uint8_t *from, size_t size)
{
	size_t label;

	if (size < HEAD || from[MAGIC + 1])
		return false;
	label = number(from + AT_LABEL, 2);
	r->keys_size = number(from + AT_KEYS, 2);
	if (size - HEAD < label || size - HEAD - label < r->keys_size)
		return false;
	r->offset = number(from + AT_OFFSET, 8);
	r->time = number(from + AT_TIME, 8);
	r->partition = (uint32_t)number(from + AT_PARTITION, 4);
	r->bytes = (uint32_t)number(from + AT_BYTES, 4);
	r->keys = r->keys_size ? from + HEAD + label : NULL;
	return label_parse(&r->label, (const char *)from + HEAD, label);
}

bool record_parse(struct record *r, const uint8_t *from, size_t size)
{
	if (size <= MAGIC || memcmp(from, magic, MAGIC) != 0)
		return false;
	if (from[MAGIC] == NOW)
		return parse(r, (struct varint_reader){from + MAGIC + 1, from + size});
	return from[MAGIC] == 1 && parse_first_version(r, from, size);
}
