/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 48
#define KEY_HELP 'h'

static void print_row(const struct option_row *row)
{
	char left[64];

	snprintf(left, sizeof(left), "--%s%s%s", row->name, row->arg ? " " : "",
		 row->arg ? row->arg : "");
	if (row->key < 256)
		printf("  -%c, %-24s %s\n", row->key, left, row->help);
	else
		printf("      %-24s %s\n", left, row->help);
}

static void print_help(const struct program *program)
{
	printf("Usage: %s %s\n%s\n\n", program->name, program->synopsis, program->purpose);
	for (const struct option_row *row = program->rows; row->name; row++)
		print_row(row);
	printf("  -%c, %-24s %s\n", KEY_HELP, "--help", "show this text");
}

static void fill_getopt(const struct program *program, struct option *longs, char *shorts)
{
	if (program->takes_command)
		*shorts++ = '+';
	for (const struct option_row *rows = program->rows; rows->name; rows++) {
		*longs++ = (struct option){rows->name, !!rows->arg, NULL, rows->key};
		if (rows->key < 256)
			*shorts++ = rows->key;
		if (rows->key < 256 && rows->arg)
			*shorts++ = ':';
	}
	*longs++ = (struct option){"help", 0, NULL, KEY_HELP};
	*longs = (struct option){0};
	*shorts++ = KEY_HELP;
	*shorts = '\0';
}

int options_next(const struct program *program, int argc, char **argv)
{
	struct option longs[ROWS_MAX + 2];
	char shorts[2 * ROWS_MAX + 3];
	int key;

	fill_getopt(program, longs, shorts);
	key = getopt_long(argc, argv, shorts, longs, NULL);
	if (key == KEY_HELP) {
		print_help(program);
		exit(0);
	}
	if (key == '?')
		usage_error(program, "see `%s --help'", program->name);
	return key;
}

void usage_error(const struct program *program, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", program->name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

uint64_t number_arg(const struct program *program, const char *option, uint64_t min, uint64_t max)
{
	uint64_t value;
	char *end;

	errno = 0;
	value = strtoull(optarg, &end, strncmp(optarg, "0x", 2) ? 10 : 16);
	if (errno || *end || !isdigit((unsigned char)*optarg) || value < min || value > max)
		usage_error(program, "%s takes a number from %" PRIu64 " to %" PRIu64 ", not `%s'",
			    option, min, max, optarg);
	return value;
}

double real_arg(const struct program *program, const char *option, double min, double max)
{
	double value;
	char *end;

	errno = 0;
	value = strtod(optarg, &end);
	if (errno || *end || end == optarg || !(value >= min && value <= max))
		usage_error(program, "%s takes a number from %g to %g, not `%s'", option, min, max,
			    optarg);
	return value;
}
