/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdio.h>

#define JSON_CHARACTER_MAX 6 /* the most bytes that one byte of a string becomes */

/* Version of xdpdump/session/schema.json.in. It changes when a program that reads one version would
 * fail on the next. */
#define JSON_SCHEMA "1"

/* Print s in quotes, as valid UTF-8 without control characters, whatever it contains. */
void json_string(FILE *to, const char *s);
/* Print a member that is not the first. */
void json_member(FILE *to, const char *name, const char *value);
/* Write s in quotes to memory, with a final 0. Returns the length without that. What does not fit
 * is left out. */
size_t json_format(char *to, size_t room, const char *s);
