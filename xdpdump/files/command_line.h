/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The command of -z or --decode: words, split as a shell does, and the program to run. */
#pragma once

struct command_line {
	char *program; /* the path of the executable */
	char **words;  /* followed by NULL, and there is room for one more word */
	unsigned count;
};

/*
 * Blanks separate words, except within '' or "", or behind a backslash. No other character is
 * special. Returns 0, or -errno after a complaint; the caller calls command_line_clear() in both
 * cases.
 */
int command_line_parse(struct command_line *c, const char *option, const char *text);
void command_line_clear(struct command_line *c);
