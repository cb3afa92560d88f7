/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Files that rotate: which are removed; and without memory, what is not done for that is told, and
 * the end fails. */
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/ranges.h"
#include "util/clock.h"
#include "xdpdump/files/files.h"
#include "xdpdump/files/finisher.h"
#include "xdpdump/files/sink.h"

static bool has_jobs = true, has_memory = true;
static char folder[64], pattern[128];
static unsigned made;

struct finish *__real_finish_new(const char *name, const char *temporary);
struct finish *__wrap_finish_new(const char *name, const char *temporary);
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);

struct finish *__wrap_finish_new(const char *name, const char *temporary)
{
	return has_jobs ? __real_finish_new(name, temporary) : NULL;
}

void *__wrap_malloc(size_t n)
{
	return has_memory ? __real_malloc(n) : NULL;
}

static struct files *open_named(const char *form, uint64_t most)
{
	static struct file_plan plan;
	struct files *f;

	snprintf(pattern, sizeof(pattern), "%s/%u-%s", folder, made++, form);
	plan = (struct file_plan){
		.write = pattern,
		.rotates = true,
		.ring_count = most,
		.each = {.files = most},
	};
	assert_int_equal(files_open(&f, &plan), 0);
	return f;
}

static struct files *open_files(uint64_t most)
{
	return open_named("", most);
}

static void write_at(struct files *f, uint64_t second)
{
	const char *path;
	struct sink s;

	assert_int_equal(files_begin(f, second * NS_PER_SEC, 0, &path), 0);
	assert_int_equal(sink_open(&s, path, true, NULL), 0);
	files_end(f, &s, 1);
}

static void write_one(struct files *f)
{
	write_at(f, 0);
}

/* The file of the last pattern that this stands for: "" to /tmp/.../4-, "00" where that ends in %S.
 */
static const char *path_of(const char *end)
{
	static char path[sizeof(pattern) + 16];
	int n = (int)strcspn(pattern, "%");

	snprintf(path, sizeof(path), "%.*s%s", n, pattern, end);
	return path;
}

static void with_memory_all_is_well(void **unused)
{
	struct files *f = open_files(2);
	struct files_stats stats;

	(void)unused;
	for (unsigned i = 0; i < 4; i++)
		write_one(f);
	files_stats(f, &stats);
	assert_in_range(stats.removed, 1, 3);
	assert_int_equal(files_close(f), 0);
}

static void a_file_without_its_name(void **unused)
{
	struct files *f = open_files(2);

	(void)unused;
	has_jobs = false;
	write_one(f);
	has_jobs = true;
	assert_int_not_equal(files_close(f), 0);
}

static void what_is_kept_and_removed_needs_no_memory(void **unused)
{
	struct files *f = open_files(2);
	struct files_stats stats;
	const char *path;
	struct sink s;

	(void)unused;
	write_one(f);
	write_one(f);
	has_memory = has_jobs = false;
	assert_int_equal(files_begin(f, 0, 0, &path), 0);
	files_stats(f, &stats);
	assert_int_equal(stats.removed, 1);
	has_memory = has_jobs = true;
	assert_int_equal(sink_open(&s, path, true, NULL), 0);
	has_memory = false;
	files_end(f, &s, 1);
	has_memory = true;
	write_one(f);
	files_stats(f, &stats);
	assert_int_equal(stats.removed, 2);
	assert_int_equal(files_close(f), 0);
}

/* Those that come after it are no reason to keep one that is still being worked on. */
static void a_file_is_removed_before_it_is_done(void **unused)
{
	const unsigned files = 200;
	struct files *f = open_files(2);
	struct files_stats stats;
	glob_t left;

	(void)unused;
	for (unsigned i = 0; i < files; i++)
		write_one(f);
	files_stats(f, &stats);
	assert_int_equal(stats.removed, files - 2);
	assert_int_equal(files_close(f), 0);
	assert_int_equal(glob(path_of("*"), 0, NULL, &left), 0);
	assert_int_equal(left.gl_pathc, 2);
	globfree(&left);
}

/* A time can bring a name again: what goes then is not the newer file of that name. */
static void a_name_that_comes_again(void **unused)
{
	struct files *f = open_named("%S", 3);
	struct files_stats stats;

	(void)unused;
	write_at(f, 0);
	write_at(f, 1);
	write_at(f, 60);
	write_at(f, 2);
	files_stats(f, &stats);
	assert_int_equal(stats.removed, 1);
	assert_int_equal(stats.removed_packets, 1);
	write_at(f, 3);
	assert_int_equal(files_close(f), 0);
	assert_int_equal(access(path_of("00"), F_OK), 0);
	assert_int_not_equal(access(path_of("01"), F_OK), 0);
	assert_int_equal(access(path_of("02"), F_OK), 0);
	assert_int_equal(access(path_of("03"), F_OK), 0);
}

/* Another capture has the file of the name that ours was to get: ours is removed in its turn. */
static void a_file_of_others_stays(void **unused)
{
	struct files *f = open_files(2);
	const char *path;
	struct stat st;
	struct sink s;
	glob_t parts;
	int others;

	(void)unused;
	assert_int_equal(files_begin(f, 0, 0, &path), 0);
	assert_int_equal(sink_open(&s, path, true, NULL), 0);
	others = open(path_of("0"), O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_int_equal(flock(others, LOCK_EX | LOCK_NB), 0);
	files_end(f, &s, 1);
	for (unsigned i = 1; i < 6; i++)
		write_one(f);
	assert_int_not_equal(files_close(f), 0);
	assert_int_equal(fstat(others, &st), 0);
	assert_int_equal(st.st_nlink, 1);
	assert_int_equal(glob(path_of("*.part"), 0, NULL, &parts), 0);
	assert_int_equal(parts.gl_pathc, 1);
	globfree(&parts);
	close(others);
}

static int begin(void **unused)
{
	(void)unused;
	snprintf(folder, sizeof(folder), "/tmp/files_test.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int end(void **unused)
{
	char command[128];

	(void)unused;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_memory_all_is_well),
		cmocka_unit_test(a_file_without_its_name),
		cmocka_unit_test(what_is_kept_and_removed_needs_no_memory),
		cmocka_unit_test(a_file_is_removed_before_it_is_done),
		cmocka_unit_test(a_name_that_comes_again),
		cmocka_unit_test(a_file_of_others_stays),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
