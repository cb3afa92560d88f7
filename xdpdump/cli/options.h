/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The command line: what options.def lists. */
#pragma once

#include <stddef.h>

#include "xdpdump/plan/plan.h"

/* By groups: a row without a letter and a name is the title of those that follow. */
struct rows {
	const struct row *row;
	size_t count;
};
extern const struct rows options_rows;

/* 0, or -1 after telling the user what is wrong. To be freed in both cases. */
int options_parse(struct options *o, int argc, char **argv);
/* What options mean together, once all are read. 0, or -1 after telling what does not go together.
 */
int options_combine(struct options *o);
void options_free(struct options *o);
void options_help(const struct options *o);
