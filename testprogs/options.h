/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Command lines of the test programs: one table gives getopt_long its options and --help its text.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct option_row {
	int key; /* the short option's letter, or a number above 255 */
	const char *name;
	const char *arg; /* NULL: takes none */
	const char *help;
};

struct program {
	const char *name;
	const char *synopsis; /* what follows the name in the usage line */
	const char *purpose;
	const struct option_row *rows; /* ends with a row without name */
	bool takes_command;	       /* the first word that is no option ends the options */
};

/* The next option's key, its argument in optarg; -1 at the end. Ends the program for --help and
 * for an unknown option (status 2). */
int options_next(const struct program *program, int argc, char **argv);

/* One sentence to standard error, and the end with status 2. */
void usage_error(const struct program *program, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* Whole or decimal number within bounds, or usage_error naming the option. */
uint64_t number_arg(const struct program *program, const char *option, uint64_t min, uint64_t max);
double real_arg(const struct program *program, const char *option, double min, double max);
