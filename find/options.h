/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct options {
	uint64_t since, until; /* ns since 1970 */
	uint64_t rate;	       /* bytes per second; 0: no limit */
	const char *write, *temporary;
	bool count, list, index, no_index, quiet, help, version;
	char *expression;   /* NULL: none; options_free() frees it */
	char *const *words; /* files and folders */
};

/* Returns 0, or -1 after an error message. */
int options_parse(struct options *o, int argc, char **argv);
void options_print(void);
void options_free(struct options *o);
bool options_have_time(const struct options *o, uint64_t time);
