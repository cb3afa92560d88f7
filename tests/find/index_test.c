/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* An index of many granules: how many are made, and how many are believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "index/condition.h"
#include "index/filter.h"
#include "index/keys.h"
#include "tests/ranges.h"

static void a_long_file_has_no_more_granules(void **state)
{
	struct index_builder b;

	(void)state;
	index_build(&b);
	for (uint64_t i = 0; i < INDEX_GRANULES + 10; i++)
		index_block(&b, i * INDEX_GRANULE, 0, 0, true);
	assert_int_equal(b.error, 0);
	assert_int_equal(b.index.granules, INDEX_GRANULES);
	index_drop(&b);
}

static int read_of(uint64_t granules)
{
	struct index_granule *all = calloc(granules, sizeof(*all));
	struct index x = {.of = {.size = UINT32_MAX}, .granule = all, .granules = granules};
	int fd = memfd_create("index", MFD_CLOEXEC), e;
	struct stat st;

	assert_non_null(all);
	for (uint64_t i = 0; i < granules; i++)
		all[i].position = i;
	assert_int_equal(index_write(&x, NULL, fd), 0);
	assert_int_equal(fstat(fd, &st), 0);
	free(all);
	e = index_read(&x, fd, (uint64_t)st.st_size, &x.of);
	if (!e)
		index_close(&x);
	return e;
}

static void an_index_of_more_is_not_believed(void **state)
{
	(void)state;
	assert_int_equal(read_of(INDEX_GRANULES), 0);
	assert_int_equal(read_of(INDEX_GRANULES + 1), -EBADMSG);
}

static void tell(struct index_builder *b, uint32_t number)
{
	uint8_t frame[14 + 20] = {[12] = 0x08, [14] = 0x45};

	memcpy(frame + 14 + 12, &number, sizeof(number));
	frame[14 + 16] = 1;
	index_packet(b, 0, 1, frame, sizeof(frame));
}

static uint32_t key_of(uint32_t number)
{
	return index_key_address((const uint8_t *)&number, sizeof(number));
}

static void keys_in_a_message(void **state)
{
	static uint8_t filter[INDEX_FILTER_ROOM];
	struct index_builder b;
	unsigned seem = 0;
	size_t n;

	(void)state;
	index_build(&b);
	index_block(&b, 0, 0, 0, false);
	for (uint32_t i = 0; i < INDEX_GRANULE_KEYS; i++)
		tell(&b, i);
	n = index_filter_make(&b, filter, sizeof(filter));
	assert_int_equal(n, sizeof(filter));
	assert_true(index_filter_is_sound(filter, n));
	for (uint32_t i = 0; i < INDEX_GRANULE_KEYS; i++)
		assert_true(index_filter_may_have(filter, n, key_of(i)));
	for (uint32_t i = 1u << 20; i < (1u << 20) + 100000; i++)
		seem += index_filter_may_have(filter, n, key_of(i));
	assert_in_range(seem, 1, 400);
	tell(&b, INDEX_GRANULE_KEYS);
	assert_int_equal(index_filter_make(&b, filter, sizeof(filter)), 0); /* too many */
	index_drop(&b);
}

static void other_bytes_are_no_keys(void **state)
{
	uint8_t filter[INDEX_FILTER_ROOM + 1] = "pckeys\1";

	(void)state;
	assert_true(index_filter_is_sound(filter, 10));
	assert_false(index_filter_may_have(filter, 10, 5));
	assert_false(index_filter_is_sound(filter, 8));
	assert_false(index_filter_is_sound(filter, sizeof(filter)));
	filter[6] = 2;
	assert_false(index_filter_is_sound(filter, 10));
}

static void condition_of(struct condition *c, const char *word, unsigned times, const char *last)
{
	size_t length = strlen(word), used = 0;
	char *text = malloc(times * length + strlen(last) + 1);

	assert_non_null(text);
	for (unsigned i = 0; i < times; i++, used += length)
		memcpy(text + used, word, length);
	strcpy(text + used, last);
	condition_read(c, text);
	free(text);
}

/* However deep it is: what is not understood asks for nothing. */
static void a_deep_expression_asks_for_nothing(void **state)
{
	static const char *const words[] = {"not ", "! ", "(", "not(", "(not "};
	struct condition c;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		condition_of(&c, words[i], 500000, "port 80");
		assert_false(condition_has_keys(&c));
	}
	condition_of(&c, "not port 5 and ", 20, "port 80");
	assert_true(condition_has_keys(&c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_file_has_no_more_granules),
		cmocka_unit_test(an_index_of_more_is_not_believed),
		cmocka_unit_test(keys_in_a_message),
		cmocka_unit_test(other_bytes_are_no_keys),
		cmocka_unit_test(a_deep_expression_asks_for_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
