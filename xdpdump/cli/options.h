/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The command line, with the options that options.def lists. */
#pragma once

#include <stddef.h>

#include "xdpdump/plan/plan.h"

/* The options in groups: a row without a letter and a name is the title of the rows after it. */
struct rows {
	const struct row *row;
	size_t count;
};
extern const struct rows options_rows;

/* Parse the command line. Returns 0, or -1 after telling the user what is wrong. Call
 * options_free() in both cases. */
int options_parse(struct options *o, int argc, char **argv);
/* After all options were parsed: work out what they mean together. Returns 0, or -1 after telling
 * what does not go together. */
int options_combine(struct options *o);
void options_free(struct options *o);
void options_help(const struct options *o);
