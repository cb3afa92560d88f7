/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "member.h"

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

/* Returns what follows the string that begins here; NULL: it does not end. */
static const char *skip_string(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && !*++at)
			return NULL;
	return *at ? at + 1 : NULL;
}

/* Returns what follows the value, and blanks; does not look into the value. */
static const char *skip_value(const char *at)
{
	unsigned depth = 0;

	do {
		at = skip_blanks(at);
		if (*at == '"') {
			at = skip_string(at);
			if (!at)
				return NULL;
		} else if (*at == '{' || *at == '[') {
			depth++;
			at++;
		} else if (depth && (*at == '}' || *at == ']')) {
			depth--;
			at++;
		} else {
			size_t n = strcspn(at, "{}[]\",: \t\r\n");

			if (!n && depth && (*at == ',' || *at == ':'))
				n = 1;
			if (!n)
				return NULL;
			at += n;
		}
	} while (depth);
	return skip_blanks(at);
}

static bool is_string(const char *at, const char *text)
{
	size_t n = strlen(text);

	return *at == '"' && strncmp(at + 1, text, n) == 0 && at[n + 1] == '"';
}

const char *member_of(const char *object, const char *name)
{
	const char *at = object && *object == '{' ? skip_blanks(object + 1) : NULL;

	while (at && *at == '"') {
		bool is = is_string(at, name);

		at = skip_string(at);
		at = at ? skip_blanks(at) : NULL;
		if (!at || *at != ':')
			return NULL;
		at = skip_blanks(at + 1);
		if (is)
			return at;
		at = list_next(at);
	}
	return NULL;
}

const char *list_first(const char *list)
{
	const char *at = list && *list == '[' ? skip_blanks(list + 1) : NULL;

	return at && *at && *at != ']' ? at : NULL;
}

const char *list_next(const char *value)
{
	const char *at = value ? skip_value(value) : NULL;

	return at && *at == ',' ? skip_blanks(at + 1) : NULL;
}

/* Reads the character after a backslash; one that is not ASCII becomes a ?. Returns what
 * follows. */
static const char *take_escaped(const char *at, char *to)
{
	static const char from[] = "bfnrt", is[] = "\b\f\n\r\t";
	const char *known = strchr(from, *at);
	char digits[5] = "";
	unsigned long c;

	if (*at != 'u') {
		*to = known ? is[known - from] : *at;
		return at + 1;
	}
	for (unsigned i = 0; i < 4 && isxdigit((unsigned char)at[i + 1]); i++)
		digits[i] = at[i + 1];
	c = strtoul(digits, NULL, 16);
	*to = c && c < 128 ? (char)c : '?';
	return at + 1 + strlen(digits);
}

bool member_text(const char *value, char *to, size_t size)
{
	size_t n = 0;
	char c;

	to[0] = 0;
	if (!value || *value != '"' || !skip_string(value))
		return false;
	for (const char *at = value + 1; *at != '"' && n + 1 < size;) {
		c = *at++;
		if (c == '\\')
			at = take_escaped(at, &c);
		to[n++] = c;
	}
	to[n] = 0;
	return true;
}
