/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The spool of pcapng-kafka by itself: what is handed out, in which order, and what of it is left.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kafka/put/claim.h"
#include "kafka/put/spool.h"
#include "kafka/section.h"
#include "pcapng/write.h"

#define NONE UINT64_MAX

static char folder[] = "/tmp/spool_test.XXXXXX";

static void take(struct section *s, struct bytes *b)
{
	struct pcapng_reader r = {.at = b->at, .end = b->at + b->used};
	struct pcapng_block block;

	while (pcapng_next(&r, &block))
		assert_int_equal(section_take(s, &block), 0);
	assert_ptr_equal(r.at, r.end);
}

/* Of one packet, of that number of the stream. */
static void add_of(struct spool *spool, uint64_t stream, uint64_t sequence, uint64_t order)
{
	static const uint8_t frame[600];
	static const struct label who = {.host = "h", .session = "s", .writer = "w"};
	const struct pcapng_section header = {.os = "o"};
	const struct pcapng_interface interface = {.name = "v0", .link_type = 1};
	const struct pcapng_frame f = {0, 1000 + sequence, sizeof(frame), sizeof(frame), frame};
	uint8_t memory[4096];
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	struct buffer message;
	struct section s;
	struct label l;

	section_init(&s, &who, SECTION_SIZE);
	s.label.sequence = sequence;
	s.label.stream = stream;
	pcapng_put_section(&b, &header);
	pcapng_put_interface(&b, &interface);
	pcapng_put_frame(&b, &f);
	take(&s, &b);
	assert_int_equal(section_cut(&s, 0, 0, &message, &l), 0);
	assert_int_equal(l.sequence, sequence);
	assert_int_equal(spool_add(spool, message.at, message.used, l.packets, order), 0);
	buffer_free(&message);
	section_free(&s);
}

static void add(struct spool *spool, uint64_t sequence)
{
	add_of(spool, 0, sequence, sequence);
}

static void open_spool(struct spool *s)
{
	char text[64];

	*s = (struct spool){.folder = -1, .written = -1};
	snprintf(text, sizeof(text), "%s:10M", folder);
	assert_int_equal(spool_open(s, text), 0);
	s->name = folder; /* text is gone */
}

/* The number of the next section; NONE: there is none. */
static uint64_t next(struct spool *s, struct spool_file **file)
{
	struct buffer section = {.at = NULL};
	struct label l;

	*file = spool_next(s, &section, &l);
	assert_true(!*file || section.room == section.used); /* it is kept until acknowledged */
	buffer_free(&section);
	return *file ? l.sequence : NONE;
}

static void hands_out(struct spool *s, const uint64_t *wanted, size_t n)
{
	struct spool_file *file;

	for (size_t i = 0; i < n; i++) {
		assert_int_equal(next(s, &file), wanted[i]);
		spool_done(s, file, 1);
	}
	assert_int_equal(next(s, &file), NONE);
}

static int is_file(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Names of files, in order; the caller frees them. */
static int list(struct dirent ***names)
{
	return scandir(folder, names, is_file, alphasort);
}

static int empty_folder(void **state)
{
	struct dirent **names;
	int n = list(&names);

	(void)state;
	for (int i = 0; i < n; i++) {
		int dir = open(folder, O_RDONLY | O_DIRECTORY);

		unlinkat(dir, names[i]->d_name, 0);
		close(dir);
		free(names[i]);
	}
	free(names);
	return 0;
}

static unsigned count(void)
{
	struct dirent **names;
	int n = list(&names);

	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return (unsigned)n;
}

/* Something happens to the last file. */
static void change_last(void (*change)(int fd))
{
	struct dirent **names;
	int n = list(&names), dir = open(folder, O_RDONLY | O_DIRECTORY), fd;

	assert_true(n > 0);
	fd = openat(dir, names[n - 1]->d_name, O_RDWR);
	assert_true(fd >= 0);
	change(fd);
	close(fd);
	close(dir);
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

/* Within the packet of the last section: its statistics are shorter. */
static void cut_off(int fd)
{
	assert_int_equal(ftruncate(fd, lseek(fd, 0, SEEK_END) - 300), 0);
}

static void overwrite(int fd)
{
	assert_int_equal(pwrite(fd, "nothing of ours", 15, 0), 15);
}

/* An earlier run's come first; what the queue gives back comes before what followed it. */
static void sections_are_handed_out_in_their_order(void **state)
{
	static const uint64_t wanted[] = {0, 1, 50, 51, 100, 101}, left[] = {50, 51, 100, 101};
	struct spool_file *file;
	struct spool s;

	(void)state;
	open_spool(&s);
	add(&s, 0);
	add(&s, 1);
	spool_close(&s);
	open_spool(&s);
	assert_int_equal(s.earlier, 2);
	assert_int_equal(next(&s, &file), 0); /* on its way, and not acknowledged */
	assert_true(spool_is_earlier(file));
	add(&s, 100);
	add(&s, 101);
	add(&s, 50);
	add(&s, 51);
	spool_close(&s);
	open_spool(&s);
	assert_int_equal(s.earlier, 6);
	hands_out(&s, wanted, 2 + sizeof(left) / sizeof(left[0]));
	assert_int_equal(s.earlier, 0);
	assert_int_equal(count(), 0);
	spool_close(&s);
}

/* Each stream counts by itself: what the queue gives back is older, whatever its number. */
static void streams_are_handed_out_in_the_order_of_all(void **state)
{
	static const uint64_t wanted[] = {900, 2000, 901, 902, 2001};
	struct spool s;

	(void)state;
	open_spool(&s);
	add_of(&s, 0, 902, 13);
	add_of(&s, 1, 2001, 14);
	add_of(&s, 0, 900, 9);
	add_of(&s, 1, 2000, 10);
	add_of(&s, 0, 901, 11);
	assert_int_equal(s.packets, 5);
	spool_close(&s);
	open_spool(&s);
	assert_int_equal(s.earlier, 5);
	hands_out(&s, wanted, sizeof(wanted) / sizeof(wanted[0]));
	spool_close(&s);
}

/* Some went into the queue between those of the spool, and come back at the end. */
static void what_the_queue_gives_back_has_its_place(void **state)
{
	static const uint64_t wanted[] = {0, 1, 2, 60, 61}, come[] = {0, 60, 61, 1, 2};
	struct spool s;

	(void)state;
	open_spool(&s);
	for (size_t i = 0; i < sizeof(come) / sizeof(come[0]); i++)
		add(&s, come[i]);
	spool_close(&s);
	open_spool(&s);
	hands_out(&s, wanted, sizeof(wanted) / sizeof(wanted[0]));
	spool_close(&s);
}

/* However they come. */
static void there_is_room_between_files(void **state)
{
	static const uint64_t wanted[] = {5, 7, 9, 10, 11, 12, 13},
			      come[] = {13, 9, 5, 10, 7, 12, 11};
	struct spool s;

	(void)state;
	open_spool(&s);
	for (size_t i = 0; i < sizeof(come) / sizeof(come[0]); i++)
		add(&s, come[i]);
	spool_close(&s);
	open_spool(&s);
	hands_out(&s, wanted, sizeof(wanted) / sizeof(wanted[0]));
	spool_close(&s);
}

static bool is_claimed(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/.pcapng-kafka-topic", folder);
	return access(path, F_OK) == 0;
}

/* Another leaves all of it as it is, also the record of the topic. */
static void who_uses_the_folder_is_alone(void **state)
{
	struct spool s, other = {.folder = -1, .written = -1};
	char text[64];

	(void)state;
	open_spool(&s);
	assert_int_equal(claim_spool(&s, "a", "X", false), 0);
	snprintf(text, sizeof(text), "%s:10M", folder);
	assert_int_equal(spool_open(&other, text), -1);
	claim_release(&other);
	spool_close(&other);
	assert_true(is_claimed());
	spool_close(&s);
}

/* As a put does whose capture was killed. */
static void *leave(void *spool)
{
	usleep(300000);
	spool_close(spool);
	return NULL;
}

static void who_leaves_is_waited_for(void **state)
{
	struct spool s, next;
	pthread_t thread;

	(void)state;
	open_spool(&s);
	assert_int_equal(pthread_create(&thread, NULL, leave, &s), 0);
	open_spool(&next);
	pthread_join(thread, NULL);
	spool_close(&next);
}

/* Each of those that share has its part, and a folder that is made. */
static void what_is_shared_has_parts(void **state)
{
	static const char *const bad[] = {"3M/4", "3M/0", "3M/", "3M/2x", "3M2", "/2", "3M/4097"};
	struct spool s = {.folder = -1, .written = -1};
	char path[64], text[80];

	(void)state;
	snprintf(path, sizeof(path), "%s/2", folder);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "%s:%s", path, bad[i]);
		assert_int_equal(spool_open(&s, text), -1);
		assert_int_not_equal(access(path, F_OK), 0);
	}
	snprintf(text, sizeof(text), "%s:3M/3", path);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(spool_open(&s, text), 0);
		assert_int_equal(s.most, 1000000);
		spool_close(&s);
	}
	assert_int_equal(rmdir(path), 0);
}

static void files_of_others_are_left_alone(void **state)
{
	static const char *const names[] = {"pcapng-kafka-00000000000000000007.pcapng.bak",
					    "pcapng-kafka-7.pcapng", "notes"};
	struct spool s;
	char path[128];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		close(open(path, O_CREAT | O_WRONLY, 0600));
	}
	open_spool(&s);
	assert_false(spool_has_unsent(&s));
	spool_close(&s);
	assert_int_equal(count(), 3);
}

static void what_cannot_be_read_stays(void **state)
{
	struct spool s;
	char path[128], text[64];

	(void)state;
	open_spool(&s);
	assert_int_equal(claim_spool(&s, "a", "X", false), 0);
	spool_close(&s);
	snprintf(path, sizeof(path), "%s/pcapng-kafka-%020d.pcapng", folder, 7);
	assert_int_equal(mkfifo(path, 0600), 0);
	snprintf(text, sizeof(text), "%s:10M", folder);
	assert_int_equal(spool_open(&s, text), -1);
	claim_release(&s);
	assert_int_equal(count(), 1);
	assert_true(is_claimed());
}

static void a_section_that_is_cut_off_is_none(void **state)
{
	static const uint64_t wanted[] = {0};
	struct spool s;

	(void)state;
	open_spool(&s);
	add(&s, 0);
	add(&s, 1);
	assert_int_equal(s.kept, 2);
	spool_close(&s);
	change_last(cut_off);
	open_spool(&s);
	assert_int_equal(s.earlier, 1);
	assert_int_equal(s.kept, 1);
	hands_out(&s, wanted, 1);
	assert_false(s.is_damaged);
	spool_close(&s);
}

static void a_file_that_was_changed_stays_and_is_told(void **state)
{
	struct spool_file *file;
	struct spool s;

	(void)state;
	open_spool(&s);
	add(&s, 0);
	change_last(overwrite);
	assert_int_equal(next(&s, &file), NONE);
	assert_true(s.is_damaged);
	assert_false(spool_has_unsent(&s));
	assert_int_equal(s.packets, 1);
	assert_int_equal(count(), 1);
	spool_close(&s);
}

static void allow(rlim_t bytes)
{
	struct rlimit all;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
	all.rlim_cur = bytes < all.rlim_max ? bytes : all.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
}

/* The label of the first section. */
static void make_later(int fd)
{
	uint8_t head[1024];
	ssize_t n = pread(fd, head, sizeof(head), 0);
	uint8_t *label = n > 0 ? memmem(head, (size_t)n, "pcapng-kafka 1", 14) : NULL;

	assert_non_null(label);
	assert_int_equal(pwrite(fd, "2", 1, label + 13 - head), 1);
}

/* A bit of a section in the middle. */
static void damage(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);

	assert_int_equal(pwrite(fd, "\xff\xff\xff\xff", 4, end / 3 + 4), 4);
}

static void three_sections(void (*change)(int fd))
{
	struct spool s;

	open_spool(&s);
	add(&s, 0);
	add(&s, 1);
	add(&s, 2);
	spool_close(&s);
	change_last(change);
}

static uint64_t size_of_all(void)
{
	struct dirent **names;
	int n = list(&names), dir = open(folder, O_RDONLY | O_DIRECTORY);
	uint64_t size = 0;
	struct stat st;

	for (int i = 0; i < n; i++) {
		assert_int_equal(fstatat(dir, names[i]->d_name, &st, 0), 0);
		size += (uint64_t)st.st_size;
		free(names[i]);
	}
	free(names);
	close(dir);
	return size;
}

/* Three sections; what is sent of them, once, and what is told, at each start. */
static void keeps_the_rest_of(void (*change)(int fd), const uint64_t *wanted, size_t n)
{
	struct spool s;

	three_sections(change);
	for (int again = 0; again < 3; again++) {
		size_t left = again ? 0 : n;

		open_spool(&s);
		assert_int_equal(s.earlier, left);
		hands_out(&s, wanted, left);
		assert_true(s.is_damaged);
		assert_int_equal(s.kept, 0);
		assert_int_equal(s.used, size_of_all());
		assert_false(spool_since(&s)); /* of what waits */
		assert_int_equal(claim_spool(&s, "a", "X", false), 0);
		claim_release(&s);
		spool_close(&s);
		assert_int_equal(count(), 1);
	}
	open_spool(&s);
	assert_int_equal(claim_spool(&s, "b", "X", false), -1);
	spool_close(&s);
}

/* Nobody has sent it: the file stays, and is for its topic. */
static void what_is_behind_damage_stays(void **state)
{
	(void)state;
	keeps_the_rest_of(damage, (const uint64_t[]){0}, 1);
}

/* The disk takes no copy of the rest: all stays, and what was sent comes again. */
static void what_is_behind_damage_stays_on_a_full_disk(void **state)
{
	const uint64_t wanted[] = {0};
	uint64_t size;
	struct spool s;

	(void)state;
	three_sections(damage);
	size = size_of_all();
	for (int again = 0; again < 2; again++) {
		open_spool(&s);
		allow(size / 2);
		hands_out(&s, wanted, 1);
		allow(RLIM_INFINITY);
		assert_int_equal(s.used, size);
		spool_close(&s);
		assert_int_equal(count(), 1);
		assert_int_equal(size_of_all(), size);
	}
	open_spool(&s);
	hands_out(&s, wanted, 1);
	spool_close(&s);
	assert_true(size_of_all() < size);
}

static void what_a_later_release_left_stays(void **state)
{
	(void)state;
	keeps_the_rest_of(make_later, NULL, 0);
}

static void a_full_spool_takes_no_more(void **state)
{
	struct spool s;

	(void)state;
	open_spool(&s);
	s.most = 10;
	assert_true(spool_add(&s, (const uint8_t *)"more than ten bytes", 19, 1, 0) < 0);
	assert_int_equal(s.packets, 0);
	assert_int_equal(count(), 0);
	spool_close(&s);
}

/* A file stands in the folder before its first section does. */
static void no_empty_file_is_left(void **state)
{
	struct rlimit old, none = {0};
	struct spool s;

	(void)state;
	open_spool(&s);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	none.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	assert_true(spool_add(&s, (const uint8_t *)"no room", 7, 1, 0) < 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(s.packets, 0);
	spool_close(&s);
	assert_int_equal(count(), 0);
}

static bool is_refused(struct spool *s, uint64_t order)
{
	uint8_t nothing[8192] = {0};
	bool is;

	allow(4096); /* less than it has, and more than others have */
	is = spool_add(s, nothing, sizeof(nothing), 1, order) < 0;
	allow(RLIM_INFINITY);
	return is;
}

/*
 * What the disk had no room for comes again when it has, in its place: as the first of a file, and
 * behind others, also where one that is younger came in between.
 */
static void what_the_disk_refused_comes_again(void **state)
{
	static const uint64_t wanted[] = {0, 1, 2, 3, 4};
	struct spool s;

	(void)state;
	open_spool(&s);
	assert_true(is_refused(&s, 0));
	assert_int_equal(count(), 0);
	add(&s, 0);
	assert_true(is_refused(&s, 1));
	add(&s, 1);
	assert_true(is_refused(&s, 2));
	add(&s, 3);
	add(&s, 4);
	add(&s, 2);
	assert_int_equal(s.packets, 5);
	spool_close(&s);
	open_spool(&s);
	hands_out(&s, wanted, sizeof(wanted) / sizeof(wanted[0]));
	spool_close(&s);
}

static bool claims(const char *topic, const char *cluster, bool anyway)
{
	struct spool s;
	int e;

	open_spool(&s);
	e = claim_spool(&s, topic, cluster, anyway);
	claim_release(&s);
	spool_close(&s);
	return e == 0;
}

/* What was for a cluster waits until it is known that ours is that one; what was for none does not.
 */
static void what_is_for_a_cluster_waits_for_its_name(void **state)
{
	struct spool s;

	(void)state;
	open_spool(&s);
	assert_int_equal(claim_spool(&s, "a", "X", false), 0);
	assert_false(s.is_unclaimed);
	spool_close(&s);
	open_spool(&s); /* it was killed, and had nothing */
	assert_int_equal(claim_spool(&s, "a", NULL, false), 0);
	assert_false(s.is_unclaimed);
	add(&s, 1);
	assert_int_equal(claim_spool(&s, "a", "X", false), 0);
	assert_false(s.is_unclaimed);
	spool_close(&s);
	open_spool(&s);
	assert_int_equal(claim_spool(&s, "a", NULL, false), 0);
	assert_true(s.is_unclaimed);
	assert_int_equal(claim_spool(&s, "a", "Y", false), -1);
	assert_true(s.is_unclaimed);
	assert_int_equal(claim_spool(&s, "a", "X", false), 0);
	assert_false(s.is_unclaimed);
	spool_close(&s);
	open_spool(&s);
	assert_int_equal(claim_spool(&s, "a", NULL, true), 0);
	assert_false(s.is_unclaimed);
	hands_out(&s, (const uint64_t[]){1}, 1);
	claim_release(&s);
	spool_close(&s);
}

/* Also where no broker has told its cluster, and after a run of a release that left no such file. */
static void what_is_for_a_topic_goes_to_no_other(void **state)
{
	struct spool s;

	(void)state;
	open_spool(&s);
	assert_int_equal(claim_spool(&s, "a", NULL, false), 0);
	add(&s, 1);
	spool_close(&s);
	assert_false(claims("b", NULL, false));
	assert_true(claims("a", "X", false));
	assert_true(claims("a", NULL, false));
	assert_false(claims("a", "Y", false));
	assert_false(claims("b", "X", false));
	assert_true(claims("b", "Y", true));
	assert_false(claims("a", "X", false));
	assert_true(is_claimed());
	open_spool(&s);
	hands_out(&s, (const uint64_t[]){1}, 1);
	claim_release(&s);
	spool_close(&s);
	assert_false(is_claimed());
	open_spool(&s);
	add(&s, 2);
	spool_close(&s);
	assert_true(claims("c", "X", false));
	open_spool(&s);
	hands_out(&s, (const uint64_t[]){2}, 1);
	claim_release(&s);
	spool_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(sections_are_handed_out_in_their_order, empty_folder),
		cmocka_unit_test_teardown(streams_are_handed_out_in_the_order_of_all, empty_folder),
		cmocka_unit_test_teardown(what_the_queue_gives_back_has_its_place, empty_folder),
		cmocka_unit_test_teardown(there_is_room_between_files, empty_folder),
		cmocka_unit_test_teardown(who_uses_the_folder_is_alone, empty_folder),
		cmocka_unit_test_teardown(who_leaves_is_waited_for, empty_folder),
		cmocka_unit_test_teardown(what_is_shared_has_parts, empty_folder),
		cmocka_unit_test_teardown(files_of_others_are_left_alone, empty_folder),
		cmocka_unit_test_teardown(what_cannot_be_read_stays, empty_folder),
		cmocka_unit_test_teardown(a_section_that_is_cut_off_is_none, empty_folder),
		cmocka_unit_test_teardown(a_file_that_was_changed_stays_and_is_told, empty_folder),
		cmocka_unit_test_teardown(what_is_behind_damage_stays, empty_folder),
		cmocka_unit_test_teardown(what_is_behind_damage_stays_on_a_full_disk, empty_folder),
		cmocka_unit_test_teardown(what_a_later_release_left_stays, empty_folder),
		cmocka_unit_test_teardown(a_full_spool_takes_no_more, empty_folder),
		cmocka_unit_test_teardown(no_empty_file_is_left, empty_folder),
		cmocka_unit_test_teardown(what_the_disk_refused_comes_again, empty_folder),
		cmocka_unit_test_teardown(what_is_for_a_cluster_waits_for_its_name, empty_folder),
		cmocka_unit_test_teardown(what_is_for_a_topic_goes_to_no_other, empty_folder),
	};
	int failed;

	if (!mkdtemp(folder))
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
