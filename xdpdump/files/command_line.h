/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The command of -z or --decode: words, as a shell splits them, and the program that they begin
 * with. */
#pragma once

struct command_line {
	char *program; /* its path */
	char **words;  /* NULL behind the last, and room for one more */
	unsigned count;
};

/*
 * Blanks separate words; within '' and "", and behind a backslash, they do not. Nothing else means
 * anything. -errno, and what is wrong was said; to be cleared in both cases.
 */
int command_line_parse(struct command_line *c, const char *option, const char *text);
void command_line_clear(struct command_line *c);
