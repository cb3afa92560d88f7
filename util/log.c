/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/libbpf.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "log.h"
#include "pcap-afxdp-debug.h"

/* libbpf has one print function for all threads: one thread at a time replaces it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static libbpf_print_fn_t before;
static __thread FILE *messages; /* not NULL: messages of this thread are kept */
static char *text;
static size_t length;

static int keep(enum libbpf_print_level level, const char *format, va_list args)
{
	char *said;
	int n;

	if (!messages)
		return before ? before(level, format, args) : 0;
	if (level == LIBBPF_DEBUG)
		return 0;
	n = vasprintf(&said, format, args);
	if (n < 0)
		return 0;
	fputs(said, messages);
	pcap_debug_lines_afxdp(said);
	free(said);
	return n;
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

void log_line(const char *line)
{
	pcap_debug_afxdp("%s", line);
}
