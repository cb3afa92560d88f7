/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The options of a program, a row each: both the parser and --help use them. Values are written
 * into members of the program's own struct.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct row;
/* Returns 0; -1: the value is invalid, and the user was told. */
typedef int row_set(void *options, const struct row *row, const char *value);

struct row {
	int letter;		  /* 0: none */
	const char *name, *takes; /* takes NULL: no value */
	unsigned commands;	  /* a bit for each command that has it */
	row_set *set;
	size_t at; /* offset of the member */
	uint64_t least, most;
	const char *help;
};

struct rows {
	const struct row *row;
	size_t count;
};

#define ROWS_MAX 64

row_set row_set_text;	/* writes a const char * */
row_set row_set_number; /* a uint64_t within the bounds */
row_set row_set_size;	/* a uint64_t, in bytes: K, M and G are powers of 1000 */
row_set row_set_choice; /* an int: the number of a word in takes, "a|b", from 1 */
row_set row_set_moment; /* a uint64_t: moment.h */
row_set row_set_flag;	/* a bool */

void *row_member(void *options, const struct row *row);
/* Tells the user what the value must be. Returns -1. */
int row_refuse(const struct row *row, const char *value, const char *want);

/* Read the options, up to optind of getopt(3). name precedes what is printed; NULL: nothing does.
 * Returns 0; -1: the user was told. */
int rows_read(const struct rows *rows, unsigned command, const char *name, void *options, int argc,
	      char **argv);
/* width: that of names with what they take. */
void rows_print(const struct rows *rows, unsigned command, int width);
