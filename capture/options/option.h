/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Reads the options of options.def: a row for each option, and a function for each kind of value.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct afxdp_options;

enum size_rule { ANY_SIZE, POWER_OF_TWO, SIZE_OR_OFF };

struct option_row {
	const char *name, *takes, *gives; /* as in options.def */
	/* Write value into the member at `to`. Returns 0, or -EINVAL for an invalid value. */
	int (*set)(const struct option_row *row, void *to, const char *value);
	size_t at, size;      /* the member of struct afxdp_options */
	uint64_t least, most; /* bounds of a number, size (bytes) or duration (ns) */
	enum size_rule rule;
	bool api; /* for the API alone: not in device names */
};

/* As afxdp_options_set(), but knows only the options of device names. */
int options_set_of_device(struct afxdp_options *o, const char *name, const char *value, char *err,
			  size_t size);
/* Functions for .set. This one writes the number of a word among those in row->takes into a bool or
 * an enum. */
int option_word(const struct option_row *row, void *to, const char *value);
/* For options of unknown origin: does every option that takes words have a valid one? */
bool options_are_words(const struct afxdp_options *o);
/* Number of words in row->takes. */
unsigned option_words(const struct option_row *row);
/* Write a decimal number within the bounds into a uint32_t. */
int option_number(const struct option_row *row, void *to, const char *value);
/* Write a number of bytes, optionally followed by K, M or G (powers of 1024), into a uint64_t;
 * row->rule says which are valid. */
int option_size(const struct option_row *row, void *to, const char *value);
/* Write seconds ("5", "5s") or minutes ("5m") into a uint64_t of ns; "off": UINT64_MAX. */
int option_duration(const struct option_row *row, void *to, const char *value);
/* Set a bit for each queue in "0-3+6" (a comma would end the option); "all" sets none. */
int option_queues(const struct option_row *row, void *to, const char *value);
/* Write "l4+64" or "off" into a struct slice. */
int option_slice(const struct option_row *row, void *to, const char *value);
/* Copy a string that fits into the member, which is an array. */
int option_path(const struct option_row *row, void *to, const char *value);
/* Descriptors, which must be 3 or more because 0 to 2 are the standard ones: write "7" into an int,
 * or "3+4" into a struct sock_fds. */
int option_fd(const struct option_row *row, void *to, const char *value);
int option_sock_fds(const struct option_row *row, void *to, const char *value);
