/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads a JSON text that others wrote: only what is asked for, and anything unexpected counts as
 * missing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The value of a member of the object here (may be NULL); NULL: there is none. */
const char *member_of(const char *object, const char *name);
/* The first value of the list here, and the one after a value; NULL: there is none. */
const char *list_first(const char *list);
const char *list_next(const char *value);
/* Copies a string's text, cut to the room. False: it is not a string, and to is "". */
bool member_text(const char *value, char *to, size_t size);
