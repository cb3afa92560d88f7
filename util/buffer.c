/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

int buffer_reserve(struct buffer *b, size_t more)
{
	size_t room = b->room ? b->room : 4096;
	uint8_t *at;

	if (more <= b->room - b->used)
		return 0;
	while (room - b->used < more)
		if (__builtin_mul_overflow(room, (size_t)2, &room))
			return -ENOMEM;
	at = realloc(b->at, room);
	if (!at)
		return -ENOMEM;
	b->at = at;
	b->room = room;
	return 0;
}

void *buffer_one_more(void *array, size_t count, size_t *room, size_t each)
{
	size_t more = *room ? 2 * *room : 16;

	if (count < *room)
		return array;
	array = reallocarray(array, more, each);
	if (array)
		*room = more;
	return array;
}

void buffer_shrink(struct buffer *b)
{
	uint8_t *at = b->used ? realloc(b->at, b->used) : NULL;

	if (!at)
		return;
	b->at = at;
	b->room = b->used;
}

int buffer_append(struct buffer *b, const void *p, size_t n)
{
	int e = buffer_reserve(b, n);

	if (e)
		return e;
	if (n)
		memcpy(b->at + b->used, p, n);
	b->used += n;
	return 0;
}

void buffer_drop(struct buffer *b, size_t n)
{
	if (n && b->used > n)
		memmove(b->at, b->at + n, b->used - n);
	b->used -= n;
}

int buffer_u16(struct buffer *b, uint16_t v, int swapped)
{
	v = swapped ? bswap_16(v) : v;
	return buffer_append(b, &v, sizeof(v));
}

int buffer_u32(struct buffer *b, uint32_t v, int swapped)
{
	v = swapped ? bswap_32(v) : v;
	return buffer_append(b, &v, sizeof(v));
}

int buffer_u64(struct buffer *b, uint64_t v, int swapped)
{
	v = swapped ? bswap_64(v) : v;
	return buffer_append(b, &v, sizeof(v));
}

int buffer_pad(struct buffer *b)
{
	return buffer_append(b, "\0\0\0", -b->used & 3);
}

void buffer_free(struct buffer *b)
{
	free(b->at);
	*b = (struct buffer){.at = NULL};
}
