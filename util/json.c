/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "util/json.h"

/* The first of these needs as many as JSON_CHARACTER_MAX; to gets a final 0. */
static void format_one(char to[JSON_CHARACTER_MAX + 1], unsigned char c)
{
	if (c < ' ')
		snprintf(to, JSON_CHARACTER_MAX + 1, "\\u%04x", c);
	else
		snprintf(to, JSON_CHARACTER_MAX + 1, c == '"' || c == '\\' ? "\\%c" : "%c", c);
}

void json_string(FILE *to, const char *s)
{
	char one[JSON_CHARACTER_MAX + 1];

	fputc('"', to);
	for (; *s; s++) {
		format_one(one, (unsigned char)*s);
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
	for (; *s && room - used > JSON_CHARACTER_MAX + 1; s++) {
		format_one(one, (unsigned char)*s);
		used += (size_t)snprintf(to + used, room - used, "%s", one);
	}
	to[used++] = '"';
	to[used] = 0;
	return used;
}
