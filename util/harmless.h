/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Text from outside: names of interfaces, namespaces, programs and chains, and labels in others'
 * messages may contain any byte. Everything that is printed or written goes through here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Number of bytes of the character at s, which is valid UTF-8 and printable; 0: a control (C0, DEL,
 * C1, those that change the direction of writing or end a line), invalid UTF-8, or the end. */
size_t harmless_length(const char *s);
/* Would both look the same when printed? */
bool harmless_alike(const char *a, const char *b);
/* Replace each byte that is not part of such a character by a ?. */
void harmless(char *text);
/* The same, but keep newlines and tabs: for our own text with names in it. */
void harmless_lines(char *text);
/* Print it after harmless_lines(). Returns the number of bytes, or -1. */
int harmless_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
