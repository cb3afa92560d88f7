/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Text from outside: what is no UTF-8, or a control, is printed by nobody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/harmless.h"
#include "util/json.h"

static const struct {
	const char *from, *plain, *json;
} texts[] = {
	{"eth0", "eth0", "\"eth0\""},
	{"", "", "\"\""},
	{"a\"\\b", "a\"\\b", "\"a\\\"\\\\b\""},
	{"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\x9f", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\x9f",
	 "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\x9f\""},
	/* controls: C0, DEL, C1, of direction, without width */
	{"\x1b]0;x\x07", "?]0;x?", "\"\\u001b]0;x\\u0007\""},
	{"a\x7f", "a?", "\"a\\u007f\""},
	{"\xc2\x9b", "??", "\"\\ufffd\\ufffd\""},
	{"\xe2\x80\xae", "???", "\"\\ufffd\\ufffd\\ufffd\""},
	{"\xef\xbb\xbf", "???", "\"\\ufffd\\ufffd\\ufffd\""},
	/* no UTF-8: no beginning, no end, too long, of a pair, beyond the last */
	{"\xff\xfe", "??", "\"\\ufffd\\ufffd\""},
	{"\x80", "?", "\"\\ufffd\""},
	{"\xe2\x82", "??", "\"\\ufffd\\ufffd\""},
	{"\xf0\x9f\x90", "???", "\"\\ufffd\\ufffd\\ufffd\""},
	{"\xc3(", "?(", "\"\\ufffd(\""},
	{"\xc0\xaf", "??", "\"\\ufffd\\ufffd\""},
	{"\xe0\x80\xaf", "???", "\"\\ufffd\\ufffd\\ufffd\""},
	{"\xed\xa0\x80", "???", "\"\\ufffd\\ufffd\\ufffd\""},
	{"\xf4\x90\x80\x80", "????", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
};
#define TEXTS (sizeof(texts) / sizeof(texts[0]))

static void each_becomes_harmless(void **state)
{
	char text[64], json[128];

	(void)state;
	for (size_t i = 0; i < TEXTS; i++) {
		snprintf(text, sizeof(text), "%s", texts[i].from);
		harmless(text);
		assert_string_equal(text, texts[i].plain);
		assert_true(harmless_alike(texts[i].from, text));
		assert_false(harmless_alike(texts[i].from, "eth0-"));
		assert_int_equal(json_format(json, sizeof(json), texts[i].from),
				 strlen(texts[i].json));
		assert_string_equal(json, texts[i].json);
	}
}

static void lines_and_tabs_stay_where_they_may(void **state)
{
	char text[] = "a\n\tb\r", word[] = "a\n\tb\r";

	(void)state;
	harmless_lines(text);
	assert_string_equal(text, "a\n\tb?");
	harmless(word);
	assert_string_equal(word, "a??b?");
}

/* Whatever bytes there are: nothing is left that is to be replaced. */
static void any_bytes_print(void **state)
{
	char text[32], long_text[2000], *printed;
	uint32_t seed = 1;
	size_t length;
	FILE *to;

	(void)state;
	for (int round = 0; round < 100000; round++) {
		size_t n = 0;

		for (size_t i = 0; i < sizeof(text) - 1; i++)
			text[i] = (char)(1 + (seed = seed * 1664525 + 1013904223) % 255);
		text[sizeof(text) - 1] = 0;
		harmless(text);
		for (; text[n]; n += harmless_length(text + n))
			assert_int_not_equal(harmless_length(text + n), 0);
		assert_int_equal(n, sizeof(text) - 1);
	}
	memset(long_text, '\x1b', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = 0;
	to = open_memstream(&printed, &length);
	assert_int_equal(harmless_print(to, "%s\n", long_text), sizeof(long_text));
	fclose(to);
	assert_int_equal(length, sizeof(long_text));
	assert_int_equal(strspn(printed, "?"), length - 1);
	free(printed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_becomes_harmless),
		cmocka_unit_test(lines_and_tabs_stay_where_they_may),
		cmocka_unit_test(any_bytes_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
