/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The dialogue in which Wireshark's user sets options: made of the rows that have words for it. */
#include <stdio.h>
#include <string.h>

#include "extcap_config.h"
#include "options.h"
#include "row.h"

/* The part of text before the next |; text goes on behind it. */
static int next_part(const char **text, const char **part)
{
	int length = (int)strcspn(*text, "|");

	*part = *text;
	*text += length + ((*text)[length] == '|');
	return length;
}

/* The first word is the default. */
static void print_words(unsigned number, const char *words, const char *texts)
{
	const char *word, *text;

	for (int i = 0; *words; i++) {
		int n = next_part(&words, &word), m = next_part(&texts, &text);

		printf("value {arg=%u}{value=%.*s}{display=%.*s}{default=%s}\n", number, n, word, m,
		       text, i ? "false" : "true");
	}
}

static const char *type_of(const struct row *r, bool has_words)
{
	if (has_words)
		return "selector";
	if (r->takes && strcmp(r->takes, "FILE") == 0)
		return "fileselect";
	return r->takes ? "string" : "boolflag";
}

static void print_widget(unsigned number, const struct row *r)
{
	const char *texts = r->dialogue, *title;
	int length = next_part(&texts, &title);
	bool has_words = *texts;

	printf("arg {number=%u}{call=--%s}{display=%.*s}{tooltip=%s}{type=%s}", number, r->name,
	       length, title, r->help, type_of(r, has_words));
	if (has_words)
		printf("{default=%.*s}", (int)strcspn(r->takes, "|"), r->takes);
	puts(r->takes ? "" : "{default=false}");
	if (has_words)
		print_words(number, r->takes, texts);
}

void extcap_config(void)
{
	unsigned number = 0;
	size_t count;
	const struct row *rows = options_rows(&count);

	for (size_t i = 0; i < count; i++)
		if (rows[i].name && rows[i].dialogue)
			print_widget(number++, &rows[i]);
}
