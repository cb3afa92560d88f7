/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * zstd_seekable_compression_format.md, version 0.1.0: magic number and size of a skippable frame,
 * two 32-bit sizes for each frame, their number, a byte of flags, a magic number at the very end.
 * All numbers are little-endian.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "seek_table.h"

#define SKIPPABLE_MAGIC 0x184D2A5Eu
#define SEEKABLE_MAGIC	0x8F92EAB1u
#define FRAMES_MAX	0x8000000u /* zstd's own limit */
#define HEADER_SIZE	8
#define ENTRY_SIZE	8
#define FOOTER_SIZE	9

int seek_table_add(struct seek_table *t, uint32_t compressed, uint32_t plain)
{
	if (t->count == t->room) {
		uint32_t room = t->room ? 2 * t->room : 64;
		struct seek_entry *e = realloc(t->entry, room * sizeof(*e));

		if (!e)
			return -ENOMEM;
		t->entry = e;
		t->room = room;
	}
	t->entry[t->count++] = (struct seek_entry){compressed, plain};
	return 0;
}

static uint8_t *put(uint8_t *at, uint32_t value)
{
	value = htole32(value);
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

uint8_t *seek_table_frame(const struct seek_table *t, size_t *size)
{
	size_t inside = (size_t)t->count * ENTRY_SIZE + FOOTER_SIZE;
	uint8_t *frame = t->count <= FRAMES_MAX ? malloc(HEADER_SIZE + inside) : NULL, *at = frame;

	if (!frame)
		return NULL;
	at = put(at, SKIPPABLE_MAGIC);
	at = put(at, (uint32_t)inside);
	for (uint32_t i = 0; i < t->count; i++) {
		at = put(at, t->entry[i].compressed);
		at = put(at, t->entry[i].plain);
	}
	at = put(at, t->count);
	*at++ = 0; /* no checksums here: the frames have theirs */
	at = put(at, SEEKABLE_MAGIC);
	*size = (size_t)(at - frame);
	return frame;
}

void seek_table_clear(struct seek_table *t)
{
	free(t->entry);
	*t = (struct seek_table){0};
}
