/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Rings are mapped where pages have 4, 16 or 64 KiB: a kernel with such pages, as its calls see it.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "capture/ring/ring.h"

#define RINGS 3u

static long page; /* 0: the machine's own */

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
	return page && name == _SC_PAGESIZE ? page : __real_sysconf(name);
}

void *__real_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
	if (page && offset % page)
		return errno = EINVAL, MAP_FAILED;
	return __real_mmap(at, length, protection, flags, fd, offset);
}

/* The name of the same, for large files on machines of 32 bits. */
void *__wrap_mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
	return __wrap_mmap(at, length, protection, flags, fd, offset);
}

/* Each ring has its own memory, and all of it. */
static void try_rings(int fd)
{
	const struct ring_place place = {.maps = {.count = 1},
					 .count = RINGS,
					 .size = RING_SIZE_MIN};
	struct ring_set s;

	assert_int_equal(ring_set_map(&s, &fd, &place), 0);
	for (unsigned i = 0; i < RINGS; i++) {
		uint8_t *data = (uint8_t *)s.ring[i].data;

		s.ring[i].control->snaplen = i + 1;
		data[0] = data[s.size - 1] = (uint8_t)(i + 1);
	}
	ring_set_unmap(&s);
	assert_int_equal(ring_set_map(&s, &fd, &place), 0);
	for (unsigned i = 0; i < RINGS; i++) {
		assert_int_equal(s.ring[i].control->snaplen, i + 1);
		assert_int_equal(s.ring[i].data[0], i + 1);
		assert_int_equal(s.ring[i].data[s.size - 1], i + 1);
	}
	ring_set_unmap(&s);
	assert_int_equal(ring_set_map_control(&s, &fd, &place), 0);
	assert_int_equal(s.ring[RINGS - 1].control->snaplen, RINGS);
	ring_set_unmap(&s);
}

static void rings_lie_in_whole_pages(void **state)
{
	(void)state;
	for (page = 4096; page <= 65536; page *= 4) {
		int fd = memfd_create("rings", MFD_CLOEXEC);

		assert_true(fd >= 0);
		assert_int_equal(ftruncate(fd, RINGS * (off_t)(2 * RING_SIZE_MIN)), 0);
		try_rings(fd);
		close(fd);
	}
	page = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rings_lie_in_whole_pages)};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%zu passed, %d failed, 0 skipped\n",
	       sizeof(tests) / sizeof(tests[0]) - (size_t)failed, failed);
	return failed != 0;
}
