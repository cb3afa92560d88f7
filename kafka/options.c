/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/moment.h"
#include "kafka/options.h"
#include "util/say.h"

#define DEFAULT_QUEUE	 (64u << 20)
#define DEFAULT_SECTION	 900000u
#define DEFAULT_END_WAIT 30
#define DEFAULT_SLACK	 2
#define LONG_FIRST	 256 /* of options without a letter */

struct row;
typedef int row_set(struct options *o, const struct row *row, const char *value);

struct row {
	int letter;
	const char *name, *takes;
	unsigned commands;
	row_set *set;
	size_t at; /* the member */
	uint64_t least, most;
	const char *help;
};

static row_set set_text, set_name, set_number, set_size, set_choice, set_moment, set_list, set_flag;

#define AT(m)					       offsetof(struct options, m)
#define TEXT(m)					       set_text, AT(m), 0, 0
#define NAME(m)					       set_name, AT(m), 0, 0
#define NUMBER(m, low, high)			       set_number, AT(m), low, high
#define SIZE(m, low, high)			       set_size, AT(m), low, high
#define CHOICE(m)				       set_choice, AT(m), 0, 0
#define TIME(m)					       set_moment, AT(m), 0, 0
#define LIST(m)					       set_list, AT(m), 0, 0
#define FLAG(m)					       set_flag, AT(m), 0, 0
#define ROW(letter, name, takes, commands, kind, help) {letter, name, takes, commands, kind, help},
static const struct row rows[] = {
#include "kafka/options.def"
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

/* It becomes part of a key: host/session/stream. */
static int set_name(struct options *o, const struct row *row, const char *value)
{
	if (!*value || strlen(value) > 64 || strpbrk(value, "/\n\r\t"))
		return refuse(row, value, "a name of 64 characters at most, without a slash");
	*(const char **)member(o, row) = value;
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
	snprintf(want, sizeof(want), "from %llu to %llu", (unsigned long long)row->least,
		 (unsigned long long)row->most);
	return refuse(row, value, want);
}

static int set_number(struct options *o, const struct row *row, const char *value)
{
	uint64_t *to = member(o, row);
	char *end;

	if (!parse_number(value, &end, to) || *end)
		return refuse(row, value, "a whole number");
	return within(row, value, *to);
}

static int set_size(struct options *o, const struct row *row, const char *value)
{
	static const char units[] = "KMG";
	uint64_t *to = member(o, row), n;
	const char *unit;
	char *end;

	if (!parse_number(value, &end, &n))
		return refuse(row, value, "bytes, or a number with K, M or G behind it");
	unit = *end ? strchr(units, *end) : NULL;
	if (*end && (!unit || end[1]))
		return refuse(row, value, "bytes, or a number with K, M or G behind it");
	for (int times = unit ? (int)(unit - units) + 1 : 0; times; times--)
		if (__builtin_mul_overflow(n, (uint64_t)1000, &n))
			n = UINT64_MAX;
	*to = n;
	return within(row, value, n);
}

static int set_choice(struct options *o, const struct row *row, const char *value)
{
	const char *at = row->takes;
	size_t n = strlen(value);

	for (int i = 1;; i++) {
		size_t length = strcspn(at, "|");

		if (length == n && memcmp(at, value, n) == 0) {
			*(int *)member(o, row) = i;
			return 0;
		}
		if (!at[length])
			return refuse(row, value, row->takes);
		at += length + 1;
	}
}

static int set_moment(struct options *o, const struct row *row, const char *value)
{
	if (moment_parse(value, member(o, row)))
		return 0;
	return refuse(row, value,
		      "a time such as 2026-11-22T14:00:00Z, '2026-11-22 15:00', @1700000000.5 or -10m");
}

static int set_list(struct options *o, const struct row *row, const char *value)
{
	struct names *names = member(o, row);

	if (names->count == LIST_MAX)
		return refuse(row, value, "one of 64 at most");
	names->name[names->count++] = value;
	return 0;
}

static int set_flag(struct options *o, const struct row *row, const char *value)
{
	(void)value;
	*(bool *)member(o, row) = true;
	return 0;
}

/* What getopt_long() is to know of a command: its options, each by the number of its row. */
static void describe(unsigned command, struct option longs[ROWS + 1], char letters[2 * ROWS + 2])
{
	size_t n = 0;

	*letters++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		if (!(rows[i].commands & command))
			continue;
		longs[n++] = (struct option){rows[i].name,
					     rows[i].takes ? required_argument : no_argument, NULL,
					     LONG_FIRST + (int)i};
		if (rows[i].letter)
			*letters++ = (char)rows[i].letter;
		if (rows[i].letter && rows[i].takes)
			*letters++ = ':';
	}
	longs[n] = (struct option){.name = NULL};
	*letters = 0;
}

static const struct row *find_row(unsigned command, int got)
{
	if (got >= LONG_FIRST)
		return &rows[got - LONG_FIRST];
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].letter == got && rows[i].commands & command)
			return &rows[i];
	return NULL;
}

static int read_options(struct options *o, unsigned command, int argc, char **argv)
{
	char letters[2 * ROWS + 2];
	struct option longs[ROWS + 1];
	int got;

	describe(command, longs, letters);
	opterr = 0;
	while ((got = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const struct row *row = got == ':' || got == '?' ? NULL : find_row(command, got);

		if (!row) {
			complain("%s %s: %s", argv[0], argv[optind - 1],
				 got == ':' ? "a value is missing" : "there is no such option");
			return -1;
		}
		if (row->set(o, row, optarg))
			return -1;
	}
	return 0;
}

int options_parse(struct options *o, unsigned command, int argc, char **argv)
{
	*o = (struct options){.queue = DEFAULT_QUEUE,
			      .section_size = DEFAULT_SECTION,
			      .end_wait = DEFAULT_END_WAIT,
			      .until = UINT64_MAX,
			      .slack = DEFAULT_SLACK};
	if (read_options(o, command, argc, argv))
		return -1;
	be_quiet(o->quiet);
	if (o->help || o->version)
		return 0;
	if (optind == argc) {
		complain("%s: where to? kafka://BROKER[:PORT][,BROKER...]/TOPIC", argv[0]);
		return -1;
	}
	o->address = argv[optind++];
	o->rest = argv + optind;
	if (o->since >= o->until) {
		complain("--since has to be before --until");
		return -1;
	}
	return 0;
}

void options_print(unsigned command)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];
		char left[64];

		if (!(r->commands & command))
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", r->name, r->takes ? " " : "",
			 r->takes ? r->takes : "");
		if (r->letter)
			printf("  -%c, %-24s %s\n", r->letter, left, r->help);
		else
			printf("      %-24s %s\n", left, r->help);
	}
}

/* Without --until there is no end, not even for a clock that is beyond all. */
bool options_have_time(const struct options *o, uint64_t first, uint64_t last)
{
	return last >= o->since && (first < o->until || o->until == UINT64_MAX);
}

bool names_have(const struct names *n, const char *name)
{
	for (size_t i = 0; i < n->count; i++)
		if (strcmp(n->name[i], name) == 0)
			return true;
	return n->count == 0;
}

void names_see(const struct names *n, const char *name, uint64_t *seen)
{
	_Static_assert(LIST_MAX <= 64, "a bit for each");
	for (size_t i = 0; i < n->count; i++)
		if (strcmp(n->name[i], name) == 0)
			*seen |= 1ull << i;
}
