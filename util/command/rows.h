/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The options of a program, a row each: the parser and --help are made of them. A value goes into a
 * member of the program's own struct.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct row;
/* -1: the value is not good, which is told. */
typedef int row_set(void *options, const struct row *row, const char *value);

struct row {
	int letter;		  /* 0: none */
	const char *name, *takes; /* takes NULL: nothing */
	unsigned commands;	  /* bits: those that have it */
	row_set *set;
	size_t at; /* of the member */
	uint64_t least, most;
	const char *help;
};

struct rows {
	const struct row *row;
	size_t count;
};

#define ROWS_MAX 64

row_set row_set_text;	/* const char * */
row_set row_set_number; /* uint64_t, from least to most */
row_set row_set_size;	/* uint64_t bytes: K, M and G are powers of 1000 */
row_set row_set_choice; /* int: the place in takes, "a|b", from 1 on */
row_set row_set_moment; /* uint64_t: moment.h */
row_set row_set_flag;	/* bool */

void *row_member(void *options, const struct row *row);
/* Tells that the value has to be something else. Returns -1. */
int row_refuse(const struct row *row, const char *value, const char *want);

/* Up to optind of getopt(3). name goes in front of what is told; NULL: nothing. -1: told. */
int rows_read(const struct rows *rows, unsigned command, const char *name, void *options, int argc,
	      char **argv);
/* width: of names with what they take. */
void rows_print(const struct rows *rows, unsigned command, int width);
