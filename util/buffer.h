/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Bytes that become more. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct buffer {
	uint8_t *at;
	size_t used, room;
};

/* Room for so many more: 0, or -ENOMEM. */
int buffer_reserve(struct buffer *b, size_t more);
int buffer_append(struct buffer *b, const void *p, size_t n);
/* Give back the room for more. */
void buffer_shrink(struct buffer *b);
/* The first n bytes are no longer needed. */
void buffer_drop(struct buffer *b, size_t n);
/* A number, in the byte order of the machine or in the other one. */
int buffer_u16(struct buffer *b, uint16_t v, int swapped);
int buffer_u32(struct buffer *b, uint32_t v, int swapped);
int buffer_u64(struct buffer *b, uint64_t v, int swapped);
/* Zeros up to a multiple of 4. */
int buffer_pad(struct buffer *b);
void buffer_free(struct buffer *b);
/*
 * An array of count things, each of so many bytes, with room for one more: it, or another one in
 * its place. NULL: there is no memory, and it stays as it was.
 */
void *buffer_one_more(void *array, size_t count, size_t *room, size_t each);
