/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/libbpf.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

/* libbpf has one print function for all threads: one at a time puts ours in its place. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static libbpf_print_fn_t before;
static __thread FILE *messages; /* non-NULL: this thread's are kept */
static char *text;
static size_t length;

static int keep(enum libbpf_print_level level, const char *format, va_list args)
{
	const char *debug = secure_getenv("PCAP_AFXDP_DEBUG");
	va_list again;

	if (!messages)
		return before ? before(level, format, args) : 0;
	if (level == LIBBPF_DEBUG)
		return 0;
	va_copy(again, args);
	vfprintf(messages, format, again);
	va_end(again);
	return debug && *debug && strcmp(debug, "0") != 0 ? vfprintf(stderr, format, args) : 0;
}

void log_begin(void)
{
	pthread_mutex_lock(&lock);
	messages = open_memstream(&text, &length);
	before = libbpf_set_print(keep);
}

char *log_end(void)
{
	char *kept = NULL;

	libbpf_set_print(before);
	if (messages) {
		fclose(messages);
		kept = text;
	}
	messages = NULL;
	text = NULL;
	pthread_mutex_unlock(&lock);
	if (kept && !*kept) {
		free(kept);
		kept = NULL;
	}
	return kept;
}
