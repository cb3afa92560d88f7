/* SPDX-License-Identifier: BSD-3-Clause */
#include <bpf/libbpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

static __thread FILE *messages; /* non-NULL: this thread's are kept */
static __thread char *text;
static __thread size_t length;
static libbpf_print_fn_t before;

static int keep(enum libbpf_print_level level, const char *format, va_list args)
{
	const char *debug = getenv("PCAP_AFXDP_DEBUG");
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
	messages = open_memstream(&text, &length);
	before = libbpf_set_print(keep);
}

char *log_end(void)
{
	char *kept;

	libbpf_set_print(before);
	if (!messages)
		return NULL;
	fclose(messages);
	messages = NULL;
	kept = text;
	text = NULL;
	if (kept && !*kept) {
		free(kept);
		kept = NULL;
	}
	return kept;
}
