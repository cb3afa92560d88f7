/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <getopt.h>
#include <string.h>

#include "kafka/options.h"
#include "util/command/rows.h"
#include "util/command/say.h"
#include "util/harmless.h"

#define DEFAULT_QUEUE	  (64u << 20)
#define DEFAULT_SECTION	  900000u
#define DEFAULT_END_WAIT  30
#define DEFAULT_HEARTBEAT 60
#define DEFAULT_SLACK	  2

static row_set set_name, set_list;

#define AT(m)					       offsetof(struct options, m)
#define TEXT(m)					       row_set_text, AT(m), 0, 0
#define NAME(m)					       set_name, AT(m), 0, 0
#define NUMBER(m, low, high)			       row_set_number, AT(m), low, high
#define SIZE(m, low, high)			       row_set_size, AT(m), low, high
#define CHOICE(m)				       row_set_choice, AT(m), 0, 0
#define TIME(m)					       row_set_moment, AT(m), 0, 0
#define LIST(m)					       set_list, AT(m), 0, 0
#define FLAG(m)					       row_set_flag, AT(m), 0, 0
#define ROW(letter, name, takes, commands, kind, help) {letter, name, takes, commands, kind, help},
static const struct row all[] = {
#include "kafka/options.def"
};
static const struct rows rows = {all, sizeof(all) / sizeof(all[0])};
_Static_assert(sizeof(all) / sizeof(all[0]) <= ROWS_MAX,
	       "more options than rows_read() has room for");

/* A name becomes part of a key, host/session/stream, and of a label, so other characters are not
 * allowed. */
static bool is_name(const char *value)
{
	size_t length, all = 0;

	while ((length = harmless_length(value + all)) && value[all] != '/')
		all += length;
	return !value[all] && all && all <= 64;
}

static int set_name(void *o, const struct row *row, const char *value)
{
	if (!is_name(value))
		return row_refuse(row, value,
				  "a name of 64 bytes at most, without a slash and control characters");
	*(const char **)row_member(o, row) = value;
	return 0;
}

static int set_list(void *o, const struct row *row, const char *value)
{
	struct names *names = row_member(o, row);

	if (names->count == LIST_MAX)
		return row_refuse(row, value, "one of 64 at most");
	names->name[names->count++] = value;
	return 0;
}

int options_parse(struct options *o, unsigned command, int argc, char **argv)
{
	*o = (struct options){.queue = DEFAULT_QUEUE,
			      .section_size = DEFAULT_SECTION,
			      .heartbeat = DEFAULT_HEARTBEAT,
			      .end_wait = DEFAULT_END_WAIT,
			      .until = UINT64_MAX,
			      .slack = DEFAULT_SLACK};
	if (rows_read(&rows, command, argv[0], o, argc, argv))
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
	rows_print(&rows, command, 24);
}

/* Without --until there is no end, even for packets whose clock is far in the future. */
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
