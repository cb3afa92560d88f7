/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --help: the most important options, on one screen. --help all: all options, in groups. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "row.h"

#define LINE_LENGTH 80

static bool has_value(const struct row *r)
{
	return r->takes && r->takes[0] != '[';
}

/*
 * "  -i, --interface IFACE            capture on this interface", on two lines if one is too short.
 */
static void print_row(const struct row *r, int column)
{
	char left[128]; /* the longest, --ring-buffer with its value, has 68 */
	int used = 6 + snprintf(left, sizeof(left), "--%s%s%s", r->name, has_value(r) ? " " : "",
				r->takes ? r->takes : "");

	if (r->letter)
		printf("  -%c, %s", r->letter, left);
	else
		printf("      %s", left);
	if (used < column && column + strlen(r->help) < LINE_LENGTH)
		printf("%*s%s\n", column - used, "", r->help);
	else
		printf("\n          %s\n", r->help);
}

static void print_usage(void)
{
	printf("Usage: %s -i IFACE [OPTION]... [EXPRESSION]\n"
	       "Captures at the XDP layer: a line per packet, or pcapng files with --write.\n",
	       program_invocation_short_name);
}

/* Print the options in a form that the shell completion does not take for options of ours. */
static void print_habits(void)
{
	int column = LINE_LENGTH;

	printf("\nOf tcpdump and dumpcap, without effect because it is so anyway");
	for (size_t i = 0; i < options_rows.count; i++) {
		const struct row *r = &options_rows.row[i];
		char name[64] = {'-', (char)r->letter};

		if (r->set != habit_accepted)
			continue;
		if (!r->letter)
			snprintf(name, sizeof(name), "--%s", r->name);
		if (column + 2 + (int)strlen(name) >= LINE_LENGTH)
			column = printf("\n    %s", name) - 1;
		else
			column += printf(", %s", name);
	}
	puts("");
}

static void print_all(const struct row *rows)
{
	print_usage();
	puts("EXPRESSION is a filter as in pcap-filter(7), such as: tcp port 80");
	for (size_t i = 0; i < options_rows.count; i++) {
		if (!rows[i].set)
			printf("\n%s\n", rows[i].help);
		else if (!rows[i].is_habit)
			print_row(&rows[i], 35);
	}
	print_habits();
}

static void print_short(const struct row *rows)
{
	print_usage();
	for (size_t i = 0; i < options_rows.count; i++)
		if (rows[i].is_short)
			print_row(&rows[i], 40);
	printf("--help all shows all options, %s(8) explains them.\n",
	       program_invocation_short_name);
}

void options_help(const struct options *o)
{
	(o->help_all ? print_all : print_short)(options_rows.row);
}
