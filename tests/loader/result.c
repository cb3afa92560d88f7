/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <grp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "result.h"

static unsigned passed, failed;

void result(bool good, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("%s: ", good ? "ok" : "FAILED");
	vprintf(format, args);
	printf("\n");
	va_end(args);
	good ? passed++ : failed++;
}

int result_sum(unsigned skipped)
{
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0;
}

long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void become_nobody(void)
{
	if (setgroups(0, NULL) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
		_exit(1);
}
