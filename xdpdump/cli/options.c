/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/os/affinity.h"
#include "xdpdump/output/time_text.h"
#include "capture/afxdpcapture.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/source/device.h"
#include "xdpdump/source/expression.h"
#include "xdpdump/source/patterns.h"
#include "option_values.h"
#include "options.h"
#include "row.h"
#include "xdpdump/os/netns.h"
#include "stamp_types.h"
#include "util/nearest.h"

#define RING_COUNT_MAX 100000u

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Is it the same interface? It may have alternative names. An interface with other options after
 * its name may be given again. */
static bool are_one(const char *a, const char *b, const char *netns)
{
	unsigned index = netns || strcmp(a, b) == 0 ? 0 : if_nametoindex(a);

	return index ? index == if_nametoindex(b) : strcmp(a, b) == 0;
}

/* Was this interface named before? Its packets would be captured twice, and the second capture
 * would be in the way of the first. */
static bool is_named(const struct options *o, const char *device)
{
	for (unsigned i = 0; i < o->source.interface_count; i++)
		if (is_same_text(o->source.netns[i], o->next_netns) &&
		    are_one(pattern_without_prefix(o->source.interfaces[i]),
			    pattern_without_prefix(device), o->next_netns))
			return true;
	return false;
}

/* Users may give the number that -D prints: returns the name for it, unless an interface has the
 * number as its name. */
static const char *find_number(struct options *o, const char *value)
{
	char *to = o->source.numbered[o->source.interface_count], name[IF_NAMESIZE];
	int home;

	if (!*value || value[strspn(value, "0123456789")] || strlen(value) > 9 ||
	    o->source.interface_count == INTERFACES_MAX || netns_is_pattern(o->next_netns) ||
	    netns_enter(o->next_netns, &home))
		return value;
	if (!if_nametoindex(value) && if_indextoname((unsigned)atoi(value), name)) {
		device_name(to, name);
		value = to;
	}
	return netns_leave(home) ? NULL : value;
}

static int set_interface(struct options *o, const char *name, const char *value)
{
	value = find_number(o, value);
	if (!value)
		return -1;
	if (is_named(o, value))
		return refuse(-1, "%s %s: %s is named twice", name, value,
			      pattern_without_prefix(value));
	if (o->source.interface_count == INTERFACES_MAX)
		return refuse(-1, "%s: at most %u interfaces at once", name, INTERFACES_MAX);
	o->source.netns[o->source.interface_count] = o->next_netns;
	o->netns_is_used = true;
	o->source.interfaces[o->source.interface_count++] = value;
	return 0;
}

static int set_netns(struct options *o, const char *name, const char *value)
{
	if (!*value)
		return refuse(-1, "%s needs the name of a network namespace (see: ip netns)", name);
	if (o->next_netns && !o->netns_is_used)
		return refuse(-1,
			      "%s %s: no -i follows it before %s %s: give each namespace its -i, or a pattern for both",
			      name, o->next_netns, name, value);
	o->next_netns = value;
	o->netns_is_used = false;
	return 0;
}

static int set_doctor(struct options *o, const char *name, const char *value)
{
	o->action = ACTION_DOCTOR;
	return value ? set_interface(o, name, value) : 0;
}

/* dumpcap allows one for each interface. */
static int set_expression(struct options *o, const char *name, const char *value)
{
	if (o->expression_text)
		return refuse(-1, "%s is given twice: there is one filter for all interfaces",
			      name);
	o->expression_text = value;
	return 0;
}

static int set_print_name(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->files.print_name = "-";
	return 0;
}

static int set_disk_limit(struct options *o, const char *name, const char *value)
{
	return value_size_or_share(&o->files.disk_bytes, &o->files.disk_percent, name, value);
}

/* In tcpdump, 0 has always meant the whole packet. */
static int set_snaplen(struct options *o, const char *name, const char *value)
{
	uint64_t n;

	if (value_number(&n, name, value, 0, AFXDP_SNAPLEN_MAX))
		return -1;
	o->source.snaplen = n ? (uint32_t)n : AFXDP_SNAPLEN_MAX;
	return 0;
}

static int set_dump(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_DUMP;
	if (o->dump_level < DUMP_EBPF)
		o->dump_level++;
	return 0;
}

static int set_cpus(struct options *o, const char *name, const char *value)
{
	(void)o;
	return affinity_set(name, value);
}

static int set_line_time(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	if (++o->time_style < TIME_STYLES)
		return 0;
	return refuse(-1, "only -t, -tt, -ttt, -tttt and -ttttt are times of a line");
}

static int set_verbose(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->verbose++;
	return 0;
}

#define TO(member)		 .at = offsetof(struct options, member)
#define CALL(function)		 .set = row_call, .call = function
#define ACTION(number)		 .set = row_action, .value = number
#define FLAG(member)		 .set = row_flag, TO(member)
#define CHOICE(member)		 .set = row_choice, TO(member)
#define TEXT(member, what_it_is) .set = row_text, .what = what_it_is, TO(member)
#define COUNT(member, largest)	 .set = row_count, .most = largest, TO(member)
#define SIZE(member, unit)	 .set = row_size, .value = unit, TO(member)
#define SECONDS(member)		 .set = row_seconds, TO(member)
#define WHOLE_SECONDS(member)	 .set = row_whole_seconds, TO(member)

#define GROUP(title)		{.help = title},
#define SHORT			.is_short = true
#define DIALOGUE(text)		.dialogue = text
#define ROW(l, n, t, kind, ...) {.letter = l, .name = n, .takes = t, kind, .help = __VA_ARGS__},
#define OPTION(n, t, gives, kind, h, d)                                                            \
	{.name = n, .takes = t, .help = h, .dialogue = d, .set = row_device},
#define DEVICE_OPTION(...)
/* Options that users type by habit; they are not in the list of ours. */
#define HABIT(...) {.is_habit = true, __VA_ARGS__},
#define ACCEPTED(l, n, t, why)                                                                     \
	HABIT(.letter = l, .name = n, .takes = t, .help = why, .set = habit_accepted)
#define SAME(l, n, kind) HABIT(.letter = l, .name = n, kind)
#define ANSWERED(l, n, answer)                                                                     \
	HABIT(.letter = l, .name = n, .takes = "[=VALUE]", .help = answer, .set = habit_answered)
static const struct row rows[] = {
#include "xdpdump/options.def"
#include "xdpdump/habits.def"
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))
const struct rows options_rows = {rows, ROWS};

static int argument_of(const struct row *r)
{
	if (!r->takes)
		return no_argument;
	return r->takes[0] == '[' ? optional_argument : required_argument;
}

#define LONG_FIRST (UCHAR_MAX + 1) /* values for long names, above those of all letters */

/* The ':' at the beginning keeps getopt silent, and makes it tell a missing value from an unknown
 * option. */
static void fill_getopt(struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];

		if (r->name)
			*longs++ =
				(struct option){r->name, argument_of(r), NULL, LONG_FIRST + (int)i};
		if (!r->letter)
			continue;
		*shorts++ = (char)r->letter;
		if (argument_of(r) == required_argument)
			*shorts++ = ':';
	}
	*longs = (struct option){0};
	*shorts = 0;
}

static const struct row *find_row(int key)
{
	if (key >= LONG_FIRST)
		return &rows[key - LONG_FIRST];
	for (size_t i = 0; i < ROWS; i++)
		if (key && rows[i].letter == key)
			return &rows[i];
	return NULL;
}

/* Returns the option name that is most similar to this word, "--NAME=VALUE"; NULL: none is. */
static const char *meant_by(const char *word)
{
	unsigned best = NEAREST_MOST + 1;
	const char *meant = NULL;

	for (size_t i = 0; i < ROWS && word[0] == '-' && word[1] == '-'; i++) {
		const struct row *r = &rows[i];
		unsigned d = r->name ? nearest_distance(word + 2, strcspn(word + 2, "="), r->name)
				     : best;

		if (d < best) {
			best = d;
			meant = r->name;
		}
	}
	return meant;
}

/* Write the option names that begin as this word does, "--NAME=VALUE". Returns how many there
 * are. */
static unsigned put_names(const char *word, char *text, size_t room)
{
	size_t length = strcspn(word, "="), used = 0;
	unsigned n = 0;

	text[0] = 0;
	for (size_t i = 0; i < ROWS && length > 2 && used < room; i++) {
		const char *name = rows[i].name;

		if (name && strncmp(name, word + 2, length - 2) == 0)
			used += (size_t)snprintf(text + used, room - used, "%s--%s",
						 n++ ? ", " : "", name);
	}
	return n;
}

/* problem: '?' or ':' from getopt; last: the last word that it took. */
static int refuse_word(int problem, const char *last)
{
	char letter[3] = {'-', (char)optopt};
	const struct row *known = problem == '?' ? find_row(optopt) : NULL;
	const char *meant;
	/* If a letter is unknown, last is not its word: getopt may not be done with that word. */
	bool is_letter = problem == '?' ? optopt && !known : last[1] != '-';
	const char *what = is_letter ? letter : last;
	char names[512];

	if (problem == ':')
		return refuse(-1, "%s needs a value (see %s --help)", what,
			      program_invocation_short_name);
	if (known && known->name)
		return refuse(-1, "%s: --%s takes no value", last, known->name);
	if (!is_letter && put_names(last, names, sizeof(names)) > 1)
		return refuse(-1, "%s stands for several options: %s", last, names);
	meant = is_letter ? NULL : meant_by(last);
	return refuse(-1, "%s: no such option%s%s%s (see %s --help)", what,
		      meant ? "; did you mean --" : "", meant ? meant : "", meant ? "?" : "",
		      program_invocation_short_name);
}

/* by_name: the user typed the long name. Messages use the long names of our own options in any
 * case. */
static int set_row(struct options *o, const struct row *r, bool by_name, const char *value)
{
	char name[64] = {'-', (char)r->letter};

	if (by_name || !r->is_habit)
		snprintf(name, sizeof(name), "--%s", r->name);
	return r->set(o, r, name, value);
}

/* May the value be missing? --doctor can come before the options of a capture, whose -i then names
 * the interface. */
static bool may_lack(const struct row *r)
{
	return r->call == set_doctor;
}

/* The value of this option must follow a '='. Is the next word such a value? */
static bool is_value_apart(const struct row *r, const char *word)
{
	if (!r->takes || r->takes[0] != '[' || r->is_habit || !word || !*word)
		return false;
	if (r->call == option_zstd)
		return !word[strspn(word, "0123456789")] || strcmp(word, "seekable") == 0;
	if (r->call == option_decode)
		return strncmp(word, "tcpdump", 7) == 0 || strncmp(word, "tshark", 6) == 0;
	return strstr(r->takes, word) && *word != '-';
}

static int refuse_value_apart(const char *name, const char *value)
{
	const char *quote = strchr(value, ' ') ? "'" : "";

	return refuse(-1, "--%s %s%s%s: the value of --%s follows an equals sign: --%s=%s%s%s",
		      name, quote, value, quote, name, name, quote, value, quote);
}

static int read_options(struct options *o, int argc, char **argv)
{
	struct option longs[ROWS + 1];
	char shorts[2 * ROWS + 2];
	const struct row *r;
	int key, name = -1;

	fill_getopt(longs, shorts);
	for (; (key = getopt_long(argc, argv, shorts, longs, &name)) != -1; name = -1) {
		r = find_row(key == ':' ? optopt : key);
		if (key == ':' && !(r && may_lack(r)))
			r = NULL;
		if (r && optarg && may_lack(r) && optarg == argv[optind - 1] && *optarg == '-') {
			optarg = NULL;
			optind--;
		}
		if (!r)
			return refuse_word(key, argv[optind - 1]);
		if (!optarg && is_value_apart(r, argv[optind]))
			return refuse_value_apart(r->name, argv[optind]);
		if (set_row(o, r, name >= 0, optarg))
			return -1;
	}
	return 0;
}

/* Read the filter from one of three places: a file, an option, or the remaining words. */
static int set_filter(struct options *o, char **words)
{
	char *text[] = {(char *)o->expression_text, NULL};

	if (o->expression_file && (o->expression_text || *words))
		return refuse(-1, "the filter is either in %s or on the command line, not both",
			      o->expression_file);
	if (o->expression_text && *words)
		return refuse(-1,
			      "the filter is either in --expression or behind the options, not both");
	if (o->expression_file)
		return expression_read(&o->source.expression, o->expression_file);
	return expression_join(&o->source.expression, o->expression_text ? text : words);
}

/* Options that list something take no filter. A remaining word means that the user wanted something
 * else. */
static int check_listing(const struct options *o, const char *word)
{
	if (!word || (o->action != ACTION_LIST && o->action != ACTION_LIST_STAMPS))
		return 0;
	return refuse(-1, "%s takes no filter: leave \"%s\" out",
		      o->action == ACTION_LIST ? "--list-interfaces" : "--list-time-stamp-types",
		      word);
}

int options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){.source = {.snaplen = AFXDP_SNAPLEN_MAX,
					 .direction = DIRECTION_NOT_SAID,
					 .at_entry = true},
			      .format = FORMAT_NOT_SAID,
			      .words = argv};
	if (read_options(o, argc, argv) || options_combine(o) || check_listing(o, argv[optind]))
		return -1;
	o->help_all = argv[optind] && strcmp(argv[optind], "all") == 0;
	if (o->action != ACTION_CAPTURE && o->action != ACTION_DUMP && o->action != ACTION_DOCTOR)
		return 0;
	return set_filter(o, argv + optind);
}

void options_free(struct options *o)
{
	free(o->source.expression);
	o->source.expression = NULL;
}
