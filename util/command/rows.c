/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/command/moment.h"
#include "util/command/rows.h"
#include "util/command/say.h"
#include "util/nearest.h"

#define LONG_FIRST  256 /* for options without a letter */
#define SIZE_WANTED "bytes, or a number with K, M or G behind it"

void *row_member(void *options, const struct row *row)
{
	return (char *)options + row->at;
}

int row_refuse(const struct row *row, const char *value, const char *want)
{
	complain("--%s %s: it has to be %s", row->name, value, want);
	return -1;
}

int row_set_text(void *options, const struct row *row, const char *value)
{
	if (!*value)
		return row_refuse(row, "''", "a name");
	*(const char **)row_member(options, row) = value;
	return 0;
}

static bool parse_number(const char *value, char **end, uint64_t *to)
{
	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	*to = strtoull(value, end, 10);
	return !errno;
}

static int within(const struct row *row, const char *value, uint64_t n)
{
	char want[80];

	if (n >= row->least && n <= row->most)
		return 0;
	if (row->most == UINT64_MAX)
		snprintf(want, sizeof(want), "%llu at least", (unsigned long long)row->least);
	else
		snprintf(want, sizeof(want), "from %llu to %llu", (unsigned long long)row->least,
			 (unsigned long long)row->most);
	return row_refuse(row, value, want);
}

int row_set_number(void *options, const struct row *row, const char *value)
{
	uint64_t *to = row_member(options, row);
	char *end;

	if (!parse_number(value, &end, to) || *end)
		return row_refuse(row, value, "a whole number");
	return within(row, value, *to);
}

int row_set_size(void *options, const struct row *row, const char *value)
{
	static const char units[] = "KMG";
	uint64_t *to = row_member(options, row);
	const char *unit;
	char *end;

	if (!parse_number(value, &end, to))
		return row_refuse(row, value, SIZE_WANTED);
	unit = *end ? strchr(units, *end) : NULL;
	if (*end && (!unit || end[1]))
		return row_refuse(row, value, SIZE_WANTED);
	for (int times = unit ? (int)(unit - units) + 1 : 0; times; times--)
		if (__builtin_mul_overflow(*to, (uint64_t)1000, to))
			*to = UINT64_MAX;
	return within(row, value, *to);
}

int row_set_choice(void *options, const struct row *row, const char *value)
{
	const char *at = row->takes;
	size_t n = strlen(value);

	for (int i = 1;; i++) {
		size_t length = strcspn(at, "|");

		if (length == n && memcmp(at, value, n) == 0) {
			*(int *)row_member(options, row) = i;
			return 0;
		}
		if (!at[length])
			return row_refuse(row, value, row->takes);
		at += length + 1;
	}
}

int row_set_moment(void *options, const struct row *row, const char *value)
{
	if (moment_parse(value, row_member(options, row)))
		return 0;
	return row_refuse(row, value,
			  "a time such as 2026-11-22T14:00:00Z, '2026-11-22 15:00', @1700000000.5 or -10m");
}

int row_set_flag(void *options, const struct row *row, const char *value)
{
	(void)value;
	*(bool *)row_member(options, row) = true;
	return 0;
}

/* What getopt_long() needs to know of a command: its options, each with the number of its row. */
static void describe(const struct rows *rows, unsigned command, struct option *longs, char *letters)
{
	*letters++ = ':';
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->row[i];

		if (!(row->commands & command))
			continue;
		*longs++ = (struct option){row->name, row->takes ? required_argument : no_argument,
					   NULL, LONG_FIRST + (int)i};
		if (row->letter)
			*letters++ = (char)row->letter;
		if (row->letter && row->takes)
			*letters++ = ':';
	}
	*longs = (struct option){.name = NULL};
	*letters = 0;
}

static const struct row *find_row(const struct rows *rows, unsigned command, int got)
{
	if (got >= LONG_FIRST)
		return &rows->row[got - LONG_FIRST];
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i].letter == got && rows->row[i].commands & command)
			return &rows->row[i];
	return NULL;
}

static const char *meant_by(const struct rows *rows, unsigned command, const char *word)
{
	unsigned best = NEAREST_MOST + 1;
	const char *meant = NULL;

	for (size_t i = 0; i < rows->count && word[0] == '-' && word[1] == '-'; i++) {
		const struct row *row = &rows->row[i];
		unsigned d = nearest_distance(word + 2, strcspn(word + 2, "="), row->name);

		if (row->commands & command && d < best) {
			best = d;
			meant = row->name;
		}
	}
	return meant;
}

/* got: '?' or ':' from getopt; last: the last word it took; before: the command, and a blank. */
static void refuse_word(const struct rows *rows, unsigned command, int got, const char *before,
			const char *last)
{
	const struct row *known = got == '?' && optopt ? find_row(rows, command, optopt) : NULL;
	char letter[3] = {'-', (char)optopt};
	const char *meant;

	if (got == ':') {
		complain("%s%s: a value is missing", before, last);
	} else if (known) {
		complain("%s%s: --%s takes no value", before, last, known->name);
	} else if (optopt) { /* getopt may still be in the middle of the word */
		complain("%s%s: there is no such option", before, letter);
	} else {
		meant = meant_by(rows, command, last);
		complain("%s%s: there is no such option%s%s%s", before, last,
			 meant ? "; did you mean --" : "", meant ? meant : "", meant ? "?" : "");
	}
}

int rows_read(const struct rows *rows, unsigned command, const char *name, void *options, int argc,
	      char **argv)
{
	struct option longs[ROWS_MAX + 1];
	char letters[2 * ROWS_MAX + 2], before[32] = "";
	int got;

	if (name)
		snprintf(before, sizeof(before), "%s ", name);
	describe(rows, command, longs, letters);
	opterr = 0;
	while ((got = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const struct row *row =
			got == ':' || got == '?' ? NULL : find_row(rows, command, got);

		if (!row) {
			refuse_word(rows, command, got, before, argv[optind - 1]);
			return -1;
		}
		if (row->set(options, row, optarg))
			return -1;
	}
	return 0;
}

void rows_print(const struct rows *rows, unsigned command, int width)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *r = &rows->row[i];
		char left[64], letter[] = "-c,";

		if (!(r->commands & command))
			continue;
		letter[1] = (char)r->letter;
		snprintf(left, sizeof(left), "--%s%s%s", r->name, r->takes ? " " : "",
			 r->takes ? r->takes : "");
		printf("  %3s %-*s %s\n", r->letter ? letter : "", width, left, r->help);
	}
}
