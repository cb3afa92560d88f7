/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Text from outside: names of interfaces, namespaces, programs and chains, and labels of others'
 * messages may hold any byte. What is printed or written goes through here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the character at s, which is UTF-8 and prints; 0: controls (C0, DEL, C1, those that turn
 * the direction of writing, those that end a line), what is no UTF-8, and the end. */
size_t harmless_length(const char *s);
/* Would both print the same? */
bool harmless_alike(const char *a, const char *b);
/* Put a ? in the place of each byte that is none of such a character. */
void harmless(char *text);
/* The same, but lines and tabs stay: for text of ours with names in it. */
void harmless_lines(char *text);
/* Print it as harmless_lines() leaves it: how many bytes, or -1. */
int harmless_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
