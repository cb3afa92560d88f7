/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * How the options of options.def are read: a row for each, and a function for each kind of value.
 */
#ifndef PCAP_AFXDP_OPTION_H
#define PCAP_AFXDP_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct afxdp_options;

enum size_rule { ANY_SIZE, POWER_OF_TWO, SIZE_OR_OFF };

struct option_row {
	const char *name, *takes, *gives;
	/* value into the member at `to`. -EINVAL: it is none. */
	int (*set)(const struct option_row *row, void *to, const char *value);
	size_t at, size; /* the member of struct afxdp_options */
	uint64_t least, most;
	enum size_rule rule;
	bool api; /* no device name has it */
};

/* As afxdp_options_set(), for options of device names alone. */
int options_set_of_device(struct afxdp_options *o, const char *name, const char *value, char *err,
			  size_t size);
/* One of the words in row->takes: its number, into a bool or an enum. */
int option_word(const struct option_row *row, void *to, const char *value);
/* Of unknown origin: is each option that is a word one of its words? */
bool options_are_words(const struct afxdp_options *o);
/* How many words row->takes has. */
unsigned option_words(const struct option_row *row);
/* A decimal number from least to most, into a uint32_t. */
int option_number(const struct option_row *row, void *to, const char *value);
/* Bytes, with K, M or G behind them, by the rule, into a uint64_t. */
int option_size(const struct option_row *row, void *to, const char *value);
/* Seconds, or minutes with m behind them, into a uint64_t of ns; "off": UINT64_MAX. */
int option_duration(const struct option_row *row, void *to, const char *value);
/* "0-3+6" or "all", into a bit for each. A comma would end the option. */
int option_queues(const struct option_row *row, void *to, const char *value);
/* "l4+64", into a struct slice. */
int option_slice(const struct option_row *row, void *to, const char *value);
/* A name, into the array of the member's size. */
int option_path(const struct option_row *row, void *to, const char *value);
/* Open descriptors from 3 on, as the first are the standard ones: "7", into an int; "3+4", into a
 * struct sock_fds. */
int option_fd(const struct option_row *row, void *to, const char *value);
int option_sock_fds(const struct option_row *row, void *to, const char *value);

#endif
