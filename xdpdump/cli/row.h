/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A row of options.def or habits.def, and functions that read the kinds of values in it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options;
struct row;

/* name: the option as the user typed it. Returns 0, or -1 after telling what is wrong. */
typedef int row_set(struct options *o, const struct row *row, const char *name, const char *value);

struct row {
	int letter;	      /* 0: none */
	const char *name;     /* NULL: this row is the title of a group */
	const char *takes;    /* NULL: no value; "[=...": an optional value, after a = */
	const char *help;     /* the title, if this is a group */
	const char *dialogue; /* for Wireshark, see capture/options/options.def; NULL: not shown
				 there */
	bool is_short;	      /* listed in the short help */
	bool is_habit;	      /* an option of another program, typed by habit: ../habits.def */
	row_set *set;
	int (*call)(struct options *o, const char *name, const char *value); /* for row_call() */
	size_t at;	  /* offset of the member of struct options */
	uint64_t most;	  /* the largest number */
	int value;	  /* the action, or the unit of a size */
	const char *what; /* what a text is: it must not be empty; NULL: it may be empty */
};

int row_call(struct options *o, const struct row *row, const char *name, const char *value);
int row_flag(struct options *o, const struct row *row, const char *name, const char *value);
int row_action(struct options *o, const struct row *row, const char *name, const char *value);
/* Store the number of the word in row->takes, in an enum. */
int row_choice(struct options *o, const struct row *row, const char *name, const char *value);
int row_text(struct options *o, const struct row *row, const char *name, const char *value);
/* Store a number from 1 on, a number of bytes, or a time in ns, in a uint64_t. */
int row_count(struct options *o, const struct row *row, const char *name, const char *value);
int row_size(struct options *o, const struct row *row, const char *name, const char *value);
int row_seconds(struct options *o, const struct row *row, const char *name, const char *value);
int row_whole_seconds(struct options *o, const struct row *row, const char *name,
		      const char *value);
/* Remember an option of the device, for device_options(), after checking its value. */
int row_device(struct options *o, const struct row *row, const char *name, const char *value);

/* Handlers for options of other programs (../habits.def). This one has no effect, because we do it
 * anyway. row->takes: the only allowed value, or in capitals: any value. */
int habit_accepted(struct options *o, const struct row *row, const char *name, const char *value);
/* Returns -1 after telling what to type instead: row->help. */
int habit_answered(struct options *o, const struct row *row, const char *name, const char *value);
