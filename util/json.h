/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdio.h>

#define JSON_CHARACTER_MAX 6 /* what one of a string becomes at most */

/* The version of xdpdump/session/schema.json.in: another where what reads one fails on the next. */
#define JSON_SCHEMA "1"

/* Print it in quotes: valid UTF-8 that no terminal obeys, whatever is in s. */
void json_string(FILE *to, const char *s);
/* As a member that is not the first. */
void json_member(FILE *to, const char *name, const char *value);
/* In quotes to memory, with a final 0: its length without that. What does not fit is left out. */
size_t json_format(char *to, size_t room, const char *s);
