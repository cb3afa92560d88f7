/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "expression_text.h"
#include "options.h"
#include "report.h"

struct row {
	int key; /* the letter, or a number above 255 */
	const char *name;
	const char *arg; /* NULL: takes none */
	const char *help;
	/* 0, or -1 after telling what is wrong. NULL: an option of the device name. */
	int (*set)(struct options *o, const char *name, const char *value);
};

static int set_number(uint64_t *n, const char *name, const char *value, uint64_t min, uint64_t max)
{
	char *end;

	errno = 0;
	*n = strtoull(value, &end, 10);
	if (*value >= '0' && *value <= '9' && !*end && !errno && *n >= min && *n <= max)
		return 0;
	complain("--%s takes a number from %" PRIu64 " to %" PRIu64 ", not \"%s\"", name, min, max,
		 value);
	return -1;
}

static int set_interface(struct options *o, const char *name, const char *value)
{
	(void)name;
	if (o->interface) {
		complain("this version captures on one interface at a time: give --interface once, "
			 "and run one xdpdump for %s and one for %s",
			 o->interface, value);
		return -1;
	}
	o->interface = value;
	return 0;
}

static int set_list(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_LIST;
	return 0;
}

static int set_write(struct options *o, const char *name, const char *value)
{
	if (!*value) {
		complain("--%s needs the name of a file, or - for standard output", name);
		return -1;
	}
	o->write = value;
	return 0;
}

static int set_count(struct options *o, const char *name, const char *value)
{
	return set_number(&o->count, name, value, 1, INT64_MAX);
}

/* 0 has always meant "all of it" to tcpdump. */
static int set_snaplen(struct options *o, const char *name, const char *value)
{
	uint64_t n;

	if (set_number(&n, name, value, 0, CAPTURE_SNAPLEN_MAX))
		return -1;
	o->snaplen = n ? (uint32_t)n : CAPTURE_SNAPLEN_MAX;
	return 0;
}

static int set_direction(struct options *o, const char *name, const char *value)
{
	static const char *const names[] = {
		[DIRECTION_IN] = "in", [DIRECTION_OUT] = "out", [DIRECTION_BOTH] = "inout"};

	for (int i = DIRECTION_IN; i <= DIRECTION_BOTH; i++) {
		if (strcmp(value, names[i]) == 0) {
			o->direction = (enum direction)i;
			return 0;
		}
	}
	complain("--%s takes in, out or inout, not \"%s\"", name, value);
	return -1;
}

static int set_expression_file(struct options *o, const char *name, const char *value)
{
	(void)name;
	o->expression_file = value;
	return 0;
}

static int set_dump(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_DUMP;
	if (o->dump_level < 3)
		o->dump_level++;
	return 0;
}

static int set_promiscuous(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->promiscuous = true;
	return 0;
}

static int set_hex(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->hex = true;
	return 0;
}

static int set_verbose(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->verbose++;
	return 0;
}

static int set_version(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_VERSION;
	return 0;
}

static int set_help(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_HELP;
	return 0;
}

/* What the device name takes as ",name=value"; its parser checks the value. */
static int set_engine(struct options *o, const char *name, const char *value)
{
	size_t used = strlen(o->engine), room = sizeof(o->engine) - used;

	if (*value && !strchr(value, ',') &&
	    (size_t)snprintf(o->engine + used, room, ",%s=%s", name, value) < room)
		return 0;
	o->engine[used] = 0;
	complain("--%s=%s: not a value", name, value);
	return -1;
}

enum { KEY_HOOK = 256, KEY_XDP_MODE, KEY_RING, KEY_RING_TOTAL, KEY_VERSION };

static const struct row rows[] = {
	{'i', "interface", "IFACE", "capture on this interface", set_interface},
	{'D', "list-interfaces", NULL, "list interfaces, and what is in their XDP hooks", set_list},
	{'w', "write", "FILE", "write pcapng to FILE, or to standard output: -", set_write},
	{'c', "count", "N", "end after N packets", set_count},
	{'s', "snapshot-length", "BYTES", "keep so much of each packet (262144)", set_snaplen},
	{'Q', "direction", "in|out|inout", "frames that are received, sent, or both (in)",
	 set_direction},
	{'F', "filter-file", "FILE", "read the filter expression from FILE", set_expression_file},
	{'P', "promiscuous-mode", NULL, "also capture what is for other hosts", set_promiscuous},
	{'x', "hex", NULL, "without --write: print the bytes of packets", set_hex},
	{'d', "dump-filter", NULL, "print the compiled filter; -dd as C, -ddd as numbers",
	 set_dump},
	{KEY_HOOK, "hook", "auto|xdp|tc|packet", "where to capture (auto)", NULL},
	{KEY_XDP_MODE, "xdp-mode", "native|skb", "in the driver, or before the stack (native)",
	 NULL},
	{KEY_RING, "ring", "SIZE", "ring of each CPU, a power of two such as 16M", NULL},
	{KEY_RING_TOTAL, "ring-total", "SIZE", "bound on all rings together (256M)", NULL},
	{'v', "verbose", NULL, "tell more; twice: the words of libbpf and the verifier",
	 set_verbose},
	{KEY_VERSION, "version", NULL, "print the version", set_version},
	{'h', "help", NULL, "print this text", set_help},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

void options_help(void)
{
	char left[64];

	puts("Usage: xdpdump -i IFACE [OPTION]... [EXPRESSION]\n"
	     "Captures packets at the XDP layer, to a pcapng file or as one line per packet.\n"
	     "EXPRESSION is a filter as in pcap-filter(7), such as: tcp port 80\n");
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];

		snprintf(left, sizeof(left), "--%s%s%s", r->name, r->arg ? " " : "",
			 r->arg ? r->arg : "");
		if (r->key < 256)
			printf("  -%c, %-28s %s\n", r->key, left, r->help);
		else
			printf("      %-28s %s\n", left, r->help);
	}
}

/* Leading ':' keeps getopt silent and has it tell a missing value from an unknown option. */
static void fill_getopt(struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		*longs++ = (struct option){rows[i].name, rows[i].arg ? required_argument : 0, NULL,
					   rows[i].key};
		if (rows[i].key > 255)
			continue;
		*shorts++ = (char)rows[i].key;
		if (rows[i].arg)
			*shorts++ = ':';
	}
	*longs = (struct option){0};
	*shorts = 0;
}

static const struct row *find_row(int key)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].key == key)
			return &rows[i];
	return NULL;
}

/* problem: '?' or ':' from getopt; last: the word it took last. */
static void refuse(int problem, const char *last)
{
	char letter[3] = {'-', (char)optopt};
	/* getopt has not yet left the word that an unknown letter is in. */
	bool is_letter = problem == '?' ? optopt && !find_row(optopt) : last[1] != '-';
	const char *what = is_letter ? letter : last;

	if (problem == ':')
		complain("%s needs a value (see xdpdump --help)", what);
	else
		complain("%s: no such option (see xdpdump --help)", what);
}

static int read_options(struct options *o, int argc, char **argv)
{
	struct option longs[ROWS + 1];
	char shorts[2 * ROWS + 2];
	const struct row *r;
	int key;

	fill_getopt(longs, shorts);
	while ((key = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		r = find_row(key);
		if (!r) {
			refuse(key, argv[optind - 1]);
			return -1;
		}
		if (r->set ? r->set(o, r->name, optarg) : set_engine(o, r->name, optarg))
			return -1;
	}
	return 0;
}

static int check(const struct options *o)
{
	if (o->action != ACTION_CAPTURE)
		return 0;
	if (!o->interface) {
		complain("name an interface: -i IFACE (xdpdump -D lists them)");
		return -1;
	}
	if (o->write && strcmp(o->write, "-") == 0 && isatty(STDOUT_FILENO)) {
		complain("standard output is a terminal: send it to a file or through a pipe, "
			 "or leave --write out to read packets here");
		return -1;
	}
	return 0;
}

int options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){.snaplen = CAPTURE_SNAPLEN_MAX};
	if (read_options(o, argc, argv) || check(o))
		return -1;
	if (o->action != ACTION_CAPTURE && o->action != ACTION_DUMP)
		return 0;
	if (!o->expression_file)
		return expression_join(&o->expression, argv + optind);
	if (argv[optind]) {
		complain("the filter is either in %s or on the command line, not both",
			 o->expression_file);
		return -1;
	}
	return expression_read(&o->expression, o->expression_file);
}

void options_free(struct options *o)
{
	free(o->expression);
	o->expression = NULL;
}
