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
#include <sys/mman.h>

#include "index/build.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_file_has_no_more_granules),
		cmocka_unit_test(an_index_of_more_is_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
