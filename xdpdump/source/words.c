/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "words.h"

#define ON "=on"

enum kind { IS_OTHER, IS_FLAG, OF_DEVICE };

static const struct {
	const char *name;
	enum kind kind;
} options[] = {
#define GROUP(title)
#define ACTION(number)		 IS_OTHER
#define CALL(function)		 IS_OTHER
#define CHOICE(member)		 IS_OTHER
#define COUNT(member, largest)	 IS_OTHER
#define FLAG(member)		 IS_FLAG
#define SECONDS(member)		 IS_OTHER
#define SIZE(member, unit)	 IS_OTHER
#define TEXT(member, what_it_is) IS_OTHER
#define ROW(l, n, t, kind, ...)	 {n, kind},
#define OPTION(n, ...)		 {n, OF_DEVICE},
#define DEVICE_OPTION(...)
#include "xdpdump/options.def"
	{"pre-trigger", OF_DEVICE}, /* has a function of its own, and is one of the device, too */
};

static bool is_option(enum kind kind, const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (options[i].kind == kind && strncmp(options[i].name, name, length) == 0 &&
		    !options[i].name[length])
			return true;
	return false;
}

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

	return n && is_option(OF_DEVICE, text + i, n) ? n : 0;
}

/* One that has no value here; else 0. */
static size_t flag_at(const char *text, size_t i)
{
	size_t n = name_at(text, i);
	bool is_on = n && strncmp(text + i + n, ON, strlen(ON)) == 0;

	return is_on && is_option(IS_FLAG, text + i, n) ? n : 0;
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
