/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/harmless.h"

#define LINE 512 /* longer text takes memory for a moment */

/* Unicode's control characters: a terminal, or the reader's eyes, would obey them. */
static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) ||	   /* C0, DEL, C1 */
	       c == 0x61c || c == 0x200e || c == 0x200f || /* directions: marks, */
	       (c >= 0x202a && c <= 0x202e) ||		   /* overrides, */
	       (c >= 0x2066 && c <= 0x2069) ||		   /* and isolates */
	       c == 0x2028 || c == 0x2029 || c == 0xfeff;  /* line separators; zero width */
}

/* Number of bytes of a character that begins like this; 0: none does. */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t harmless_length(const char *s)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* minimum for this length */
	const unsigned char *p = (const unsigned char *)s;
	size_t n = length_of(*p);
	uint32_t c = n < 2 ? *p : *p & (0x7fu >> n);

	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80) /* including the end */
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (!n || c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	return is_control(c) ? 0 : n;
}

bool harmless_alike(const char *a, const char *b)
{
	while (*a && *b) {
		size_t x = harmless_length(a), y = harmless_length(b), n = x ? x : 1;

		if (n != (y ? y : 1) || memcmp(x ? a : "?", y ? b : "?", n) != 0)
			return false;
		a += n;
		b += n;
	}
	return *a == *b;
}

static void replace(char *text, const char *kept)
{
	while (*text) {
		size_t n = harmless_length(text);

		if (!n && !strchr(kept, *text))
			*text = '?';
		text += n ? n : 1;
	}
}

void harmless(char *text)
{
	replace(text, "");
}

void harmless_lines(char *text)
{
	replace(text, "\n\t");
}

static int print_long(FILE *to, const char *format, va_list args)
{
	char *text;
	int n = vasprintf(&text, format, args);

	if (n < 0)
		return -1;
	harmless_lines(text);
	if (fputs(text, to) < 0)
		n = -1;
	free(text);
	return n;
}

int harmless_print(FILE *to, const char *format, ...)
{
	char text[LINE];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n >= LINE) {
		va_start(args, format);
		n = print_long(to, format, args);
		va_end(args);
		return n;
	}
	harmless_lines(text);
	return n < 0 || fputs(text, to) < 0 ? -1 : n;
}
