/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>
#include <string.h>

#include "words.h"

#define ON "=on"

enum kind { IS_OTHER, IS_FLAG, OF_DEVICE };

static const struct {
	const char *name;
	enum kind kind;
} options[] = {
	{"pre-trigger", OF_DEVICE}, /* options.def has it with a function, but it is an option of
				       the device, too */
#define GROUP(title)
#define ACTION(number)		 IS_OTHER
#define CALL(function)		 IS_OTHER
#define CHOICE(member)		 IS_OTHER
#define COUNT(member, largest)	 IS_OTHER
#define FLAG(member)		 IS_FLAG
#define SECONDS(member)		 IS_OTHER
#define SIZE(member, unit)	 IS_OTHER
#define TEXT(member, what_it_is) IS_OTHER
#define WHOLE_SECONDS(member)	 IS_OTHER
#define ROW(l, n, t, kind, ...)	 {n, kind},
#define OPTION(n, ...)		 {n, OF_DEVICE},
#define DEVICE_OPTION(...)
#include "xdpdump/options.def"
};

static enum kind kind_of(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (strncmp(options[i].name, name, length) == 0 && !options[i].name[length])
			return options[i].kind;
	return IS_OTHER;
}

/* The length of the option name before a "=" that begins a word at text[i]; 0: there is none. */
static size_t name_at(const char *text, size_t i)
{
	size_t n = strspn(text + i, "abcdefghijklmnopqrstuvwxyz-");

	return (!i || strchr(" (", text[i - 1])) && text[i + n] == '=' ? n : 0;
}

/* Write an option instead of the word at text, whose name has length name. Returns how many bytes
 * of text it replaces; 0: the word stays. */
static size_t put_option(char *to, size_t room, const char *text, size_t name)
{
	enum kind kind = name ? kind_of(text, name) : IS_OTHER;
	const char *value = text + name + 1;

	if (kind == OF_DEVICE)
		snprintf(to, room, "--%.*s%s", (int)name, text,
			 strchr(" :,;.)", *value) ? "" : " ");
	else if (kind == IS_FLAG && strncmp(value - 1, ON, strlen(ON)) == 0)
		snprintf(to, room, "--%.*s", (int)name, text);
	else
		return 0;
	return name + (kind == IS_FLAG ? strlen(ON) : 1);
}

const char *words_of_command(const char *text, char *buffer, size_t size)
{
	size_t used = 0, n;

	buffer[0] = 0;
	for (size_t i = 0; text[i] && used + 1 < size; i += n) {
		n = put_option(buffer + used, size - used, text + i, name_at(text, i));
		if (!n)
			n = (size_t)snprintf(buffer + used, size - used, "%c", text[i]);
		used += strlen(buffer + used);
	}
	return buffer;
}
