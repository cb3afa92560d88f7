/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Standard error, which complaints share with the live line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* One sentence, after the name that the program was started by. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, and e is returned. */
int refuse(int e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* That there is none. -ENOMEM. */
int complain_memory(void);
/* From here on complaints go there, a line each, in place of standard error: for one thread. */
void complain_into(char *text, size_t size);
/* A line was printed without its end, to be printed over. */
void live_line_stands(void);
/* Take it away, if there is one. */
void live_line_clear(void);

/*
 * What a capture does in another way than users may expect, gathered and printed in one line: one
 * sentence without its end. The same again is one.
 */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Tell what there is, and forget it. apart: in a line each. */
void notes_tell(bool apart);
