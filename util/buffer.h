/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A growing array of bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct buffer {
	uint8_t *at;
	size_t used, room;
};

/* Make room for this many more bytes. Returns 0 or -ENOMEM. */
int buffer_reserve(struct buffer *b, size_t more);
int buffer_append(struct buffer *b, const void *p, size_t n);
/* Free the unused room. */
void buffer_shrink(struct buffer *b);
/* Remove the first n bytes. */
void buffer_drop(struct buffer *b, size_t n);
/* Append a number, in host byte order or swapped. */
int buffer_u16(struct buffer *b, uint16_t v, int swapped);
int buffer_u32(struct buffer *b, uint32_t v, int swapped);
int buffer_u64(struct buffer *b, uint64_t v, int swapped);
/* Append zeros up to a multiple of 4. */
int buffer_pad(struct buffer *b);
void buffer_free(struct buffer *b);
/*
 * Make room for one more element in an array of count elements of this size. Returns the array,
 * which may have moved. NULL: there is no memory, and the array stays as it was.
 */
void *buffer_one_more(void *array, size_t count, size_t *room, size_t each);
