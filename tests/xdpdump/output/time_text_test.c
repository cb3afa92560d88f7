/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The time in front of a line, in each of its forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "xdpdump/output/time_text.h"

/* 2026-11-21 03:23:47 UTC */
#define SECOND 1795231427000000000u

static void expect(struct time_text *t, uint64_t ns, const char *wanted)
{
	char text[TIME_TEXT_MAX];
	size_t n = time_text(t, text, ns);

	assert_string_equal(text, wanted);
	assert_int_equal(text[n], 0);
}

static void local_time(void **state)
{
	struct time_text day = {.style = TIME_OF_DAY}, date = {.style = TIME_WITH_DATE};

	(void)state;
	setenv("TZ", "Test-2:30", 1); /* east of Greenwich */
	tzset();
	expect(&day, SECOND + 789, "05:53:47.000000789 ");
	expect(&day, SECOND + 999999999, "05:53:47.999999999 ");
	expect(&day, SECOND + 1000000000, "05:53:48.000000000 ");
	expect(&day, SECOND, "05:53:47.000000000 ");
	expect(&date, SECOND + 789, "2026-11-21 05:53:47.000000789 ");
	expect(&date, SECOND + 20 * UINT64_C(3600000000000), "2026-11-22 01:53:47.000000000 ");
}

static void other_forms(void **state)
{
	struct time_text none = {.style = TIME_NONE}, seconds = {.style = TIME_UNIX};

	(void)state;
	expect(&none, SECOND, "");
	expect(&seconds, SECOND + 1, "1795231427.000000001 ");
	expect(&seconds, 0, "0.000000000 ");
	expect(&seconds, UINT64_MAX, "18446744073.709551615 ");
}

static void distances(void **state)
{
	struct time_text last = {.style = TIME_SINCE_LAST}, first = {.style = TIME_SINCE_FIRST};

	(void)state;
	expect(&last, SECOND + 5, " 00:00:00.000000000 ");
	expect(&last, SECOND + 7, " 00:00:00.000000002 ");
	expect(&last, SECOND + 1000000006, " 00:00:00.999999999 ");
	expect(&last, SECOND + 6, "-00:00:01.000000000 ");
	expect(&last, SECOND + 6 + 3723 * UINT64_C(1000000000), " 01:02:03.000000000 ");
	expect(&first, SECOND + 5, " 00:00:00.000000000 ");
	expect(&first, SECOND + 7, " 00:00:00.000000002 ");
	expect(&first, SECOND + 1000000006, " 00:00:01.000000001 ");
	expect(&first, SECOND, "-00:00:00.000000005 ");
	expect(&first, UINT64_MAX, " 4625420:10:46.709551610 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(local_time),
		cmocka_unit_test(other_forms),
		cmocka_unit_test(distances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
