/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the targets share: bytes that become words and numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(bool ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "%s\n", what);
		abort();
	}
}

/* Reads them, for the sanitizer to see: the compiler leaves out reads of which nothing comes. */
static inline void touch(const void *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		(void)((const volatile uint8_t *)at)[i];
}

/* The input with a 0 behind it, to be freed. */
static inline char *text_of(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	must(text != NULL, "no memory");
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	return text;
}

/* Cuts the text into words, a line each, behind a command's name. Returns how many. */
static inline int words_of(char *text, char **words, int most)
{
	int n = 0;

	words[n++] = (char *)"xdpdump";
	for (char *at = text; at && n < most - 1;)
		words[n++] = strsep(&at, "\n");
	words[n] = NULL;
	return n;
}

/* Up to 8 bytes; 0 where there are none left. */
static inline uint64_t take(const uint8_t **data, size_t *size, unsigned bytes)
{
	uint64_t value = 0;

	for (; bytes && *size; bytes--, ++*data, --*size)
		value = value << 8 | **data;
	return value;
}
