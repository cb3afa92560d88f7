/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "util/harmless.h"
#include "util/memory_limit.h"

static atomic_bool line_is_dirty; /* the live line is on the terminal */

void live_line_stands(void)
{
	atomic_store(&line_is_dirty, true);
}

void live_line_clear(void)
{
	if (atomic_exchange(&line_is_dirty, false))
		fputs("\r\033[K", stderr);
}

static struct {
	char *at;
	size_t room;
} collected; /* room 0: standard error is used */

void complain_into(char *text, size_t size)
{
	collected.at = text;
	collected.room = size;
}

static bool collect(const char *text)
{
	int n;

	if (!collected.room)
		return false;
	n = snprintf(collected.at, collected.room, "%s\n", text);
	if ((size_t)n < collected.room) {
		collected.at += n;
		collected.room -= (size_t)n;
	}
	return true;
}

/* Prints in one piece, because several threads complain. */
static void say(const char *format, va_list args)
{
	char text[8192];

	vsnprintf(text, sizeof(text), format, args);
	memory_limit_add(text, sizeof(text));
	harmless_lines(text);
	if (collect(text))
		return;
	fprintf(stderr, "%s%s: %s\n", atomic_exchange(&line_is_dirty, false) ? "\r\033[K" : "",
		program_invocation_short_name, text);
}

void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

int refuse(int e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return e;
}

int complain_memory(void)
{
	return refuse(-ENOMEM, "out of memory");
}

#define NOTES_MAX 16
#define NOTE_SIZE 1024

static char notes[NOTES_MAX][NOTE_SIZE];
static unsigned count;

void note(const char *format, ...)
{
	va_list args;

	if (count == NOTES_MAX) /* many interfaces: print several lines */
		notes_tell(false);
	va_start(args, format);
	vsnprintf(notes[count], NOTE_SIZE, format, args);
	va_end(args);
	for (unsigned i = 0; i < count; i++)
		if (strcmp(notes[i], notes[count]) == 0)
			return;
	count++;
}

void notes_tell(bool apart)
{
	char all[NOTES_MAX * NOTE_SIZE] = "";
	size_t used = 0;

	for (unsigned i = 0; i < count; i++) {
		if (apart)
			complain("warning: %s", notes[i]);
		else
			used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
						 i ? "; " : "", notes[i]);
	}
	if (used)
		complain("warning: %s", all);
	count = 0;
}
