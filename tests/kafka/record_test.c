/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A record of an index says what was written, whatever the numbers are; one that is cut, longer, or
 * of another version says nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "kafka/record.h"

static const uint64_t numbers[] = {0,	  1,	      127,	  128,	     16383,
				   16384, UINT32_MAX, UINT64_MAX, INT64_MAX, (uint64_t)1 << 63};
#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

static size_t make(uint8_t to[RECORD_ROOM], struct record *r, size_t n)
{
	static const uint8_t keys[KEYS_FEW_ROOM] = {1};

	*r = (struct record){.bytes = (uint32_t)numbers[n],
			     .partition = (uint32_t)numbers[(n + 1) % NUMBERS],
			     .offset = numbers[(n + 2) % NUMBERS],
			     .time = numbers[(n + 3) % NUMBERS],
			     .label = {.host = "a host", .session = "s", .writer = "w"},
			     .keys = n % 2 ? keys : NULL,
			     .keys_size = n % 2 ? sizeof(keys) : 0};
	memset(r->label.interface, 'i', n % 3 ? 1 : sizeof(r->label.interface) - 1);
	r->label.stream = r->label.behind = numbers[n];
	r->label.first = numbers[(n + 4) % NUMBERS];
	r->label.last = numbers[(n + 5) % NUMBERS];
	r->label.before = LABEL_NOT_SAID;
	return record_place(to, record_format(r, to), r->partition, r->offset);
}

static void a_record_says_what_was_written(void **state)
{
	uint8_t text[RECORD_ROOM];
	struct record r, found;

	(void)state;
	for (size_t n = 0; n < NUMBERS; n++) {
		size_t size = make(text, &r, n);

		memset(&found, 0, sizeof(found));
		assert_true(record_parse(&found, text, size));
		assert_int_equal(found.bytes, r.bytes);
		assert_int_equal(found.partition, r.partition);
		assert_int_equal(found.offset, r.offset);
		assert_int_equal(found.time, r.time);
		assert_memory_equal(&found.label, &r.label, sizeof(r.label));
		assert_int_equal(found.keys_size, r.keys_size);
		if (r.keys)
			assert_memory_equal(found.keys, r.keys, r.keys_size);
	}
}

static void what_is_cut_or_longer_is_none(void **state)
{
	uint8_t text[RECORD_ROOM + 1] = {0};
	struct record r;

	(void)state;
	for (size_t n = 0; n < NUMBERS; n++) {
		size_t size = make(text, &r, n);

		for (size_t cut = 0; cut < size; cut++)
			assert_false(record_parse(&r, text, cut));
		assert_false(record_parse(&r, text, size + 1));
	}
}

static void another_version_is_none(void **state)
{
	uint8_t text[RECORD_ROOM];
	struct record r;
	size_t size = make(text, &r, 0);

	(void)state;
	for (unsigned version = 0; version < 256; version++) {
		text[6] = (uint8_t)version;
		assert_int_equal(record_parse(&r, text, size), version == 2);
	}
}

/* A number of more than 64 bits; a name with a control character, or longer than its room. */
static void what_no_put_writes_is_none(void **state)
{
	uint8_t text[RECORD_ROOM];
	struct record r;
	size_t size;
	uint8_t *host;

	(void)state;
	memcpy(text, "pcksec\2", 7);
	memset(text + 7, 0xff, 300);
	assert_false(record_parse(&r, text, 307));
	text[16] = 2; /* of the first number, byte 10 */
	assert_false(record_parse(&r, text, 307));
	size = make(text, &r, 0);
	host = memmem(text, size, "a host", 6);
	assert_non_null(host);
	host[1] = '\n';
	assert_false(record_parse(&r, text, size));
	host[1] = ' ';
	assert_true(record_parse(&r, text, size));
	host[-1] = 0x7f;
	assert_false(record_parse(&r, text, size));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_says_what_was_written),
		cmocka_unit_test(what_is_cut_or_longer_is_none),
		cmocka_unit_test(another_version_is_none),
		cmocka_unit_test(what_no_put_writes_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
