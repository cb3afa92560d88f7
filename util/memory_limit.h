/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Limits of this process's memory: what to raise if the kernel has refused some. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* "ulimit -v" or "ulimit -d", the smaller one if both are set; NULL: there is no limit. */
static inline const char *memory_limit(void)
{
	struct rlimit addresses, data;

	if (getrlimit(RLIMIT_AS, &addresses) || getrlimit(RLIMIT_DATA, &data))
		return NULL;
	if (addresses.rlim_cur == RLIM_INFINITY && data.rlim_cur == RLIM_INFINITY)
		return NULL;
	return addresses.rlim_cur < data.rlim_cur ? "ulimit -v" : "ulimit -d";
}

static inline bool memory_limit_ends(const char *text, const char *words)
{
	size_t n = strlen(text), length = strlen(words);

	return n >= length && strcmp(text + n - length, words) == 0;
}

/*
 * If a text ends by saying that memory or descriptors are short, for which a limit may be the
 * reason, append ": raise ulimit -v" or the like. A thread without memory for its stack gets
 * EAGAIN.
 */
static inline void memory_limit_add(char *text, size_t size)
{
	size_t n = strlen(text);
	const char *limit = memory_limit_ends(text, "out of memory") ||
					    memory_limit_ends(text, strerror(ENOMEM)) ||
					    memory_limit_ends(text, strerror(EAGAIN))
				    ? memory_limit()
				    : NULL;

	if (memory_limit_ends(text, strerror(EMFILE)))
		limit = "ulimit -n";
	if (limit)
		snprintf(text + n, size - n, ": raise %s", limit);
}
