/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/command/say.h"
#include "util/harmless.h"
#include "util/memory_limit.h"

static bool is_quiet;

static void say(const char *format, va_list args)
{
	char text[8192];

	vsnprintf(text, sizeof(text), format, args);
	memory_limit_add(text, sizeof(text));
	harmless(text); /* it may contain names of others, and texts of brokers */
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
}

void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

void note(const char *format, ...)
{
	va_list args;

	if (is_quiet)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

/* The reader may have closed its end. */
static bool nobody_reads(void)
{
	struct pollfd end = {.fd = STDOUT_FILENO};

	return poll(&end, 1, 0) > 0 && end.revents & POLLERR;
}

int printed(void)
{
	errno = 0; /* the reason of an earlier failure is not known */
	if ((fflush(stdout) == 0 && !ferror(stdout)) || nobody_reads())
		return EXIT_SUCCESS;
	complain("standard output: %s", errno ? strerror(errno) : "not all was written");
	return EXIT_FAILURE;
}

void be_quiet(bool quiet)
{
	is_quiet = quiet;
}
