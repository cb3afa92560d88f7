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
#include "util/moment.h"
#include "util/say.h"

#define LONG_FIRST 256 /* of options without a letter */

struct row;
typedef int row_set(struct options *o, const struct row *row, const char *value);

struct row {
	int letter;
	const char *name, *takes;
	row_set *set;
	size_t at; /* the member */
	const char *help;
};

static row_set set_text, set_size, set_moment, set_flag;

#define AT(m)				     offsetof(struct options, m)
#define TEXT(m)				     set_text, AT(m)
#define SIZE(m)				     set_size, AT(m)
#define TIME(m)				     set_moment, AT(m)
#define FLAG(m)				     set_flag, AT(m)
#define ROW(letter, name, takes, kind, help) {letter, name, takes, kind, help},
static const struct row rows[] = {
#include "find/options.def"
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void *member(struct options *o, const struct row *row)
{
	return (char *)o + row->at;
}

static int refuse(const struct row *row, const char *value, const char *want)
{
	complain("--%s %s: it has to be %s", row->name, value, want);
	return -1;
}

static int set_text(struct options *o, const struct row *row, const char *value)
{
	if (!*value)
		return refuse(row, "''", "a name");
	*(const char **)member(o, row) = value;
	return 0;
}

static int set_size(struct options *o, const struct row *row, const char *value)
{
	static const char units[] = "KMG";
	uint64_t *to = member(o, row);
	const char *unit;
	char *end;

	errno = 0;
	*to = strtoull(value, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (*value < '0' || *value > '9' || errno || (*end && (!unit || end[1])))
		return refuse(row, value, "bytes, or a number with K, M or G behind it");
	for (int times = unit ? (int)(unit - units) + 1 : 0; times; times--)
		if (__builtin_mul_overflow(*to, (uint64_t)1000, to))
			*to = UINT64_MAX;
	return *to >= 1000 ? 0 : refuse(row, value, "1K at least");
}

static int set_moment(struct options *o, const struct row *row, const char *value)
{
	if (moment_parse(value, member(o, row)))
		return 0;
	return refuse(row, value,
		      "a time such as 2026-11-22T14:00:00Z, '2026-11-22 15:00', @1700000000.5 or -10m");
}

static int set_flag(struct options *o, const struct row *row, const char *value)
{
	(void)value;
	*(bool *)member(o, row) = true;
	return 0;
}

/* What getopt_long() is to know: options, each by the number of its row. */
static void describe(struct option longs[ROWS + 1], char letters[2 * ROWS + 2])
{
	*letters++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		longs[i] = (struct option){rows[i].name,
					   rows[i].takes ? required_argument : no_argument, NULL,
					   LONG_FIRST + (int)i};
		if (rows[i].letter)
			*letters++ = (char)rows[i].letter;
		if (rows[i].letter && rows[i].takes)
			*letters++ = ':';
	}
	longs[ROWS] = (struct option){.name = NULL};
	*letters = 0;
}

static const struct row *find_row(int got)
{
	if (got >= LONG_FIRST)
		return &rows[got - LONG_FIRST];
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].letter == got)
			return &rows[i];
	return NULL;
}

static int read_options(struct options *o, int argc, char **argv)
{
	char letters[2 * ROWS + 2];
	struct option longs[ROWS + 1];
	int got;

	describe(longs, letters);
	opterr = 0;
	while ((got = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const struct row *row = got == ':' || got == '?' ? NULL : find_row(got);

		if (!row) {
			complain("%s: %s", argv[optind - 1],
				 got == ':' ? "a value is missing" : "there is no such option");
			return -1;
		}
		if (row->set(o, row, optarg))
			return -1;
	}
	return 0;
}

/* Words that are no files, with blanks in between. */
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

/* The words at the end that name something are the files; what is in front is the expression. */
static int split(struct options *o, char **words, size_t count)
{
	size_t first = count;

	while (first && access(words[first - 1], F_OK) == 0)
		first--;
	o->words = words + first;
	if (first && (words[first - 1][0] == '/' || words[first - 1][0] == '.')) {
		complain("%s: %s", words[first - 1], strerror(ENOENT));
		return -1;
	}
	if (first == count) {
		complain("where? the last words have to be files or folders");
		return -1;
	}
	if (first)
		o->expression = join(words, first);
	return first && !o->expression ? -1 : 0;
}

int options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){.until = UINT64_MAX};
	if (read_options(o, argc, argv))
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
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];
		char left[64];

		snprintf(left, sizeof(left), "--%s%s%s", r->name, r->takes ? " " : "",
			 r->takes ? r->takes : "");
		if (r->letter)
			printf("  -%c, %-18s %s\n", r->letter, left, r->help);
		else
			printf("      %-18s %s\n", left, r->help);
	}
}

void options_free(struct options *o)
{
	free(o->expression);
	o->expression = NULL;
}

/* Without --until there is no end, not even for a clock that is beyond all. */
bool options_have_time(const struct options *o, uint64_t time)
{
	return time >= o->since && (time < o->until || o->until == UINT64_MAX);
}
