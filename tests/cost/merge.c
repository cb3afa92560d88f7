/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * merge RINGS USED: so many rings, of which so many have records, in turn, one from each. What
 * merging takes where each run is one record, as also in a program that asks for one at a time. To
 * be run under callgrind, with merge_all() collected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "capture/read/merge.h"
#include "tests/capture/fake_ring.h"
#include "util/clock.h"

#define FRAMES 4096u

static unsigned rings, used;

unsigned merge_all(struct merge *m);
__attribute__((noinline)) unsigned merge_all(struct merge *m)
{
	const struct epb_header *r;
	struct afxdp_run run;
	unsigned n = 0;

	while (merge_run(m, &run)) {
		for (r = run.first; (const uint8_t *)r < run.end && epb_time(r) <= run.until;
		     r = epb_next(r))
			n++;
		merge_done(m, &run, r);
	}
	return n;
}

static void fill_and_merge(void **state)
{
	struct ring_set *s = fake_rings(rings, RING_SIZE_MIN * 4);
	struct merge m = {.rings = s};

	(void)state;
	for (unsigned i = 0; i < FRAMES; i++)
		assert_true(fake_write(s, i % used, 1700000000 * (uint64_t)NS_PER_SEC + i, 64, i));
	assert_int_equal(merge_all(&m), FRAMES);
	fake_rings_free(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(fill_and_merge)};

	rings = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
	used = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
	if (!used || used > rings)
		return fprintf(stderr, "Usage: merge RINGS USED\n"), 2;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
