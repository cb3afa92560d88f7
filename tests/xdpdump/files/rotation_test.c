/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* When files end by time: at multiples of local time, also where summer time begins or ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "util/clock.h"
#include "xdpdump/files/rotation.h"

#define HOUR 3600u

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

/* Files that begin at the time, in UTC, last so many minutes each. */
static void expect(const char *time, unsigned interval, const unsigned *minutes, size_t n)
{
	struct limits file = {.interval = interval * (uint64_t)NS_PER_SEC};
	struct tm tm = {.tm_sec = 0};
	struct rotation r;
	uint64_t begin;

	assert_non_null(strptime(time, "%Y-%m-%d %H:%M", &tm));
	begin = (uint64_t)timegm(&tm) * NS_PER_SEC;
	for (size_t i = 0; i < n; i++) {
		rotation_begin(&r, &file, begin);
		assert_int_equal((r.end - begin) / NS_PER_SEC, minutes[i] * 60);
		begin = r.end;
	}
}
#define EXPECT(time, interval, ...)                                                                \
	expect(time, interval, (const unsigned[]){__VA_ARGS__},                                    \
	       sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

/* On 25 October 2026 from 3:00 to 2:00, on 29 March from 2:00 to 3:00. */
static void days_begin_at_midnight(void **state)
{
	(void)state;
	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	EXPECT("2026-10-23 22:00", 24 * HOUR, 1440, 1500, 1440);
	EXPECT("2026-10-25 10:15", 24 * HOUR, 765, 1440); /* after it */
	EXPECT("2026-03-27 23:00", 24 * HOUR, 1440, 1380, 1440);
	EXPECT("2026-03-28 23:30", 24 * HOUR, 1350, 1440);
}

static void the_hour_comes_twice_or_not_at_all(void **state)
{
	(void)state;
	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	EXPECT("2026-10-24 23:20", HOUR, 40, 60, 60, 60);
	EXPECT("2026-10-24 22:00", 2 * HOUR, 120, 180, 120);
	EXPECT("2026-10-24 22:00", 3 * HOUR, 240, 180);
	EXPECT("2026-03-29 00:20", HOUR, 40, 60, 60);
	EXPECT("2026-03-28 23:00", 2 * HOUR, 120, 60, 120);
	EXPECT("2026-03-28 23:00", 3 * HOUR, 120, 180);
	EXPECT("2026-03-28 23:00", HOUR / 2, 30, 30, 30, 30, 30);
}

/* From 0:00 to 1:00, and from 24:00 to 23:00. */
static void midnight_is_left_out(void **state)
{
	(void)state;
	set_zone("<-04>4<-03>,M9.1.6/24,M4.1.6/24");
	EXPECT("2026-09-05 04:00", 24 * HOUR, 1440, 1380, 1440);
	EXPECT("2026-04-04 03:00", 24 * HOUR, 1500, 1440);
}

/* By half an hour: Lord Howe. */
static void half_an_hour(void **state)
{
	(void)state;
	set_zone("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0");
	EXPECT("2026-04-04 13:00", 24 * HOUR, 1470, 1440);
	EXPECT("2026-04-04 13:00", HOUR, 60, 90, 60);
	EXPECT("2026-10-03 13:30", 24 * HOUR, 1410, 1440);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(days_begin_at_midnight),
		cmocka_unit_test(the_hour_comes_twice_or_not_at_all),
		cmocka_unit_test(midnight_is_left_out),
		cmocka_unit_test(half_an_hour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
