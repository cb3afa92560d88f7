/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Messages on standard error, which they share with the live line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Print one sentence, after the name that the program was started by. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same; returns e. */
int refuse(int e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Complain that there is no memory. Returns -ENOMEM. */
int complain_memory(void);
/* From now on append complaints to text, a line each. Only in a process with one thread. */
void complain_into(char *text, size_t size);
/* A line without a newline was printed, which the next output overwrites. */
void live_line_stands(void);
/* Erase that line, if there is one. */
void live_line_clear(void);

/*
 * Note what a capture does differently than users may expect: one sentence without its period.
 * Notes are collected and printed in one line; equal ones are printed once.
 */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Print the notes and forget them. apart: one line each. */
void notes_tell(bool apart);
