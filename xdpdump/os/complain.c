/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "complain.h"

static atomic_bool line_is_dirty; /* the live line stands on the terminal */

void live_line_stands(void)
{
	atomic_store(&line_is_dirty, true);
}

void live_line_clear(void)
{
	if (atomic_exchange(&line_is_dirty, false))
		fputs("\r\033[K", stderr);
}

/* In one piece, as more than one thread has something to say. */
void complain(const char *format, ...)
{
	char text[8192];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "%sxdpdump: %s\n", atomic_exchange(&line_is_dirty, false) ? "\r\033[K" : "",
		text);
}
