/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Small files of /proc and /sys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The first line of a file that begins with a word, without that, blanks behind it, and its end.
 * NULL: the first of all. False: there is none, and line is "".
 */
bool line_of(const char *path, const char *word, char *line, size_t size);
