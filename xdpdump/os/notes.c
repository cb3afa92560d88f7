/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "notes.h"

#define NOTES_MAX 16
#define NOTE_SIZE 1024

static char notes[NOTES_MAX][NOTE_SIZE];
static unsigned count;

void note(const char *format, ...)
{
	va_list args;

	if (count == NOTES_MAX) /* of many interfaces: rather several lines than nothing */
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
