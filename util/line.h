/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads small files of /proc and /sys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Get the first line of a file that begins with word, without word, blanks after it, and the
 * newline. word NULL: get the first line. False: there is none, and line is "".
 */
bool line_of(const char *path, const char *word, char *line, size_t size);
