/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A row of options.def or habits.def, and how the kinds of values in it are read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options;
struct row;

/* name: as the user spells it. 0, or -1 after telling what is wrong. */
typedef int row_set(struct options *o, const struct row *row, const char *name, const char *value);

struct row {
	int letter;	      /* 0: none */
	const char *name;     /* of a group of options: NULL */
	const char *takes;    /* NULL: nothing; "[=...": may have a value, behind a = */
	const char *help;     /* of a group: its title */
	const char *dialogue; /* Wireshark's: options.def of the device; NULL: not there */
	bool is_short;	      /* stands in the short help */
	bool is_habit;	      /* of another program, typed by habit: ../habits.def */
	row_set *set;
	int (*call)(struct options *o, const char *name, const char *value); /* for row_call() */
	size_t at;	  /* the member of struct options */
	uint64_t most;	  /* of a number */
	int value;	  /* of an action, or the unit of a size */
	const char *what; /* a text that is not empty has to be this */
};

int row_call(struct options *o, const struct row *row, const char *name, const char *value);
int row_flag(struct options *o, const struct row *row, const char *name, const char *value);
int row_action(struct options *o, const struct row *row, const char *name, const char *value);
/* One of the words in row->takes: its number, into an enum. */
int row_choice(struct options *o, const struct row *row, const char *name, const char *value);
int row_text(struct options *o, const struct row *row, const char *name, const char *value);
/* A number from 1 on, bytes, or ns, into a uint64_t. */
int row_count(struct options *o, const struct row *row, const char *name, const char *value);
int row_size(struct options *o, const struct row *row, const char *name, const char *value);
int row_seconds(struct options *o, const struct row *row, const char *name, const char *value);
int row_whole_seconds(struct options *o, const struct row *row, const char *name,
		      const char *value);
/* An option of the device: remembered for options_device(), its value looked at here. */
int row_device(struct options *o, const struct row *row, const char *name, const char *value);

/* What becomes of options that other programs have, ../habits.def. It is so anyway. row->takes: the
 * only value, or, in capitals, any. */
int habit_accepted(struct options *o, const struct row *row, const char *name, const char *value);
/* -1 after telling what to type: row->help. */
int habit_answered(struct options *o, const struct row *row, const char *name, const char *value);
