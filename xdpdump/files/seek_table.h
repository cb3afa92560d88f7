/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The table of frames at the end of a file in zstd's seekable format: a frame decoders skip. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct seek_entry {
	uint32_t compressed, plain; /* bytes of a frame */
};

struct seek_table {
	struct seek_entry *entry;
	uint32_t count, room;
};

/* -ENOMEM: the frame is not in the table, which is of no use then. */
int seek_table_add(struct seek_table *t, uint32_t compressed, uint32_t plain);
/* The skippable frame, to be freed; NULL: no memory, or more than the format allows. */
uint8_t *seek_table_frame(const struct seek_table *t, size_t *size);
void seek_table_clear(struct seek_table *t);
