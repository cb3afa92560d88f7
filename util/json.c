/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "util/harmless.h"
#include "util/json.h"

/* Formats the character at s. Returns how many bytes of s it has. Each byte of invalid UTF-8
 * becomes U+FFFD. */
static size_t format_one(char to[JSON_CHARACTER_MAX + 1], const char *s)
{
	size_t n = harmless_length(s);

	if ((unsigned char)*s < ' ' || *s == 0x7f)
		snprintf(to, JSON_CHARACTER_MAX + 1, "\\u%04x", *s);
	else if (!n)
		snprintf(to, JSON_CHARACTER_MAX + 1, "\\ufffd");
	else if (*s == '"' || *s == '\\')
		snprintf(to, JSON_CHARACTER_MAX + 1, "\\%c", *s);
	else
		snprintf(to, JSON_CHARACTER_MAX + 1, "%.*s", (int)n, s);
	return n ? n : 1;
}

void json_string(FILE *to, const char *s)
{
	char one[JSON_CHARACTER_MAX + 1];

	fputc('"', to);
	while (*s) {
		s += format_one(one, s);
		fputs(one, to);
	}
	fputc('"', to);
}

void json_member(FILE *to, const char *name, const char *value)
{
	fprintf(to, ",\"%s\":", name);
	json_string(to, value);
}

size_t json_format(char *to, size_t room, const char *s)
{
	char one[JSON_CHARACTER_MAX + 1];
	size_t used = 1;

	if (room < 3)
		return 0;
	to[0] = '"';
	while (*s && room - used > JSON_CHARACTER_MAX + 1) {
		s += format_one(one, s);
		used += (size_t)snprintf(to + used, room - used, "%s", one);
	}
	to[used++] = '"';
	to[used] = 0;
	return used;
}
