/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Command lines of the test programs. One table describes the options to getopt_long() and gives
 * --help its text.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct option_row {
	int key; /* the short option's letter, or a number above 255 */
	const char *name;
	const char *arg; /* NULL: the option takes no argument */
	const char *help;
};

struct program {
	const char *name;
	const char *synopsis; /* what follows the name in the usage line */
	const char *purpose;
	const struct option_row *rows; /* ends with a row without name */
	bool takes_command;	       /* the first word that is not an option ends the options */
};

/* Returns the next option's key, with its argument in optarg; -1 at the end. Ends the program after
 * --help, and with status 2 for an unknown option. */
int options_next(const struct program *program, int argc, char **argv);

/* Prints one sentence to standard error, and ends the program with status 2. */
void usage_error(const struct program *program, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* The option's argument as a whole or decimal number within bounds; else ends the program by
 * usage_error(). */
uint64_t number_arg(const struct program *program, const char *option, uint64_t min, uint64_t max);
double real_arg(const struct program *program, const char *option, double min, double max);
