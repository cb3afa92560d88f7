/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "xdpdump/cli/options.h"
#include "words.h"

#define ON "=on"

/* The length of the name, up to its "=", that begins a word at text[i]; 0: none does. */
static size_t name_at(const char *text, size_t i)
{
	size_t n = strspn(text + i, "abcdefghijklmnopqrstuvwxyz-");

	return (!i || strchr(" (", text[i - 1])) && text[i + n] == '=' ? n : 0;
}

/* An option whose value is another word here; else 0. */
static size_t option_at(const char *text, size_t i)
{
	size_t n = name_at(text, i);

	return n && options_have_device(text + i, n) ? n : 0;
}

/* One that has no value here; else 0. */
static size_t flag_at(const char *text, size_t i)
{
	size_t n = name_at(text, i);
	bool is_on = n && strncmp(text + i + n, ON, strlen(ON)) == 0;

	return is_on && options_have_flag(text + i, n) ? n : 0;
}

const char *words_of_command(const char *text, char *buffer, size_t size)
{
	size_t used = 0, n;

	buffer[0] = 0;
	for (size_t i = 0; text[i] && used < size; i += n) {
		size_t name = option_at(text, i), flag = flag_at(text, i);

		n = name ? name + 1 : 1;
		if (flag)
			n = flag + strlen(ON);
		if (flag)
			used += (size_t)snprintf(buffer + used, size - used, "--%.*s", (int)flag,
						 text + i);
		else if (name)
			used += (size_t)snprintf(buffer + used, size - used, "--%.*s%s", (int)name,
						 text + i,
						 strchr(" :,;.)", text[i + n]) ? "" : " ");
		else
			used += (size_t)snprintf(buffer + used, size - used, "%c", text[i]);
	}
	return buffer;
}
