/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A text in JSON that others wrote: only what is asked for is read, and anything else is nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A member's value in the object at that place, which may be NULL; NULL: none. */
const char *member_of(const char *object, const char *name);
/* The first value of the list at that place, and the one behind a value; NULL: none. */
const char *list_first(const char *list);
const char *list_next(const char *value);
/* A string's text, cut to the room. False: it is none, and to is "". */
bool member_text(const char *value, char *to, size_t size);
