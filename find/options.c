/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "find/options.h"
#include "util/command/rows.h"
#include "util/command/say.h"

#define AT(m)				     offsetof(struct options, m)
#define TEXT(m)				     row_set_text, AT(m), 0, 0
#define SIZE(m, low)			     row_set_size, AT(m), low, UINT64_MAX
#define TIME(m)				     row_set_moment, AT(m), 0, 0
#define FLAG(m)				     row_set_flag, AT(m), 0, 0
#define ROW(letter, name, takes, kind, help) {letter, name, takes, 1, kind, help},
static const struct row all[] = {
#include "find/options.def"
};
static const struct rows rows = {all, sizeof(all) / sizeof(all[0])};
_Static_assert(sizeof(all) / sizeof(all[0]) <= ROWS_MAX,
	       "more options than rows_read() has room for");

/* Joins the words of the expression, with blanks between. */
static char *join(char *const *words, size_t count)
{
	size_t n = 1;
	char *text, *at;

	for (size_t i = 0; i < count; i++)
		n += strlen(words[i]) + 1;
	at = text = malloc(n);
	for (size_t i = 0; text && i < count; i++)
		at += sprintf(at, "%s%s", i ? " " : "", words[i]);
	return text;
}

/* The last words that name existing files are the files; the words before are the expression. */
static int split(struct options *o, char **words, size_t count)
{
	size_t first = count;

	while (first && access(words[first - 1], F_OK) == 0)
		first--;
	o->words = words + first;
	if (first && (words[first - 1][0] == '/' || words[first - 1][0] == '.')) {
		complain("%s: %s", words[first - 1], strerror(errno));
		return -1;
	}
	if (first == count) {
		complain("where? the last words have to be files or folders");
		return -1;
	}
	if (first)
		o->expression = join(words, first);
	if (first && !o->expression)
		complain("%s", strerror(ENOMEM));
	return first && !o->expression ? -1 : 0;
}

int options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){.until = UINT64_MAX};
	if (rows_read(&rows, 1, NULL, o, argc, argv))
		return -1;
	be_quiet(o->quiet);
	if (o->help || o->version)
		return 0;
	if (o->since >= o->until) {
		complain("--since has to be before --until");
		return -1;
	}
	if (o->count + o->list + o->index + !!o->write > 1) {
		complain("--count, --list, --index and --write exclude each other");
		return -1;
	}
	if (split(o, argv + optind, (size_t)(argc - optind)))
		return -1;
	if (o->index && (o->expression || o->since || o->until != UINT64_MAX)) {
		complain("--index is of whole files: leave out the expression and the times");
		return -1;
	}
	return 0;
}

void options_print(void)
{
	rows_print(&rows, 1, 18);
}

void options_free(struct options *o)
{
	free(o->expression);
	o->expression = NULL;
}

/* Without --until there is no end, even for packets whose clock is far in the future. */
bool options_have_time(const struct options *o, uint64_t time)
{
	return time >= o->since && (time < o->until || o->until == UINT64_MAX);
}
