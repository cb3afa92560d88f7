/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static unsigned passed, failed, skipped;

enum { SHOW_FAILURES = 20 };

void check(bool ok, const char *format, ...)
{
	va_list args;

	if (ok) {
		passed++;
		return;
	}
	if (failed++ >= SHOW_FAILURES)
		return;
	printf("FAIL: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	if (getenv("FILTER_STOP"))
		exit(1);
}

void skip(const char *format, ...)
{
	va_list args;

	skipped++;
	printf("skipped: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

int summary(void)
{
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	if (failed)
		return 1;
	return passed ? 0 : 77;
}

/* splitmix64 */
uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

bool rng_chance(struct rng *r, uint32_t percent)
{
	return rng_below(r, 100) < percent;
}

uint64_t seed_from_environment(uint64_t otherwise)
{
	const char *text = getenv("FILTER_SEED");
	uint64_t seed = text ? strtoull(text, NULL, 0) : otherwise;

	printf("seed %#llx (FILTER_SEED sets another)\n", (unsigned long long)seed);
	return seed;
}

double rounds_from_environment(void)
{
	const char *text = getenv("FILTER_ROUNDS");

	return text ? strtod(text, NULL) : 1;
}
