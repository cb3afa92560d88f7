/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Streams that come in pieces which end anywhere: many small blocks, long ones, and both in turn.
 * Both readers give each block once, and a byte takes no longer in a long stream.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "find/capture.h"
#include "kafka/put/input.h"

#define PIECE 4093 /* of a pipe that keeps writes apart */
#define SMALL 32u
#define LONG  (1u << 20)
#define FEW   (4u << 20)
#define TIMES 8
#define OTHER 0x0bad

/* Lengths of blocks, one after the other, until there are so many bytes. */
static const struct {
	const char *name;
	uint32_t first, second;
} kinds[] = {{"small", SMALL, SMALL}, {"long", LONG, LONG}, {"in turn", LONG, SMALL}};

static uint8_t *put_block(uint8_t *to, uint32_t type, uint32_t length)
{
	memset(to, 0, length);
	memcpy(to, &type, 4);
	memcpy(to + 4, &length, 4);
	memcpy(to + length - 4, &length, 4);
	return to + length;
}

static uint8_t *make(size_t kind, size_t size, size_t *used, unsigned *blocks)
{
	uint8_t *all = malloc(size + 2 * LONG), *at = all;

	assert_non_null(all);
	at = put_block(all, 0x0a0d0d0a, 28);
	memcpy(all + 8, "\x4d\x3c\x2b\x1a\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16);
	for (*blocks = 1; (size_t)(at - all) < size; ++*blocks)
		at = put_block(at, OTHER, *blocks & 1 ? kinds[kind].first : kinds[kind].second);
	*used = (size_t)(at - all);
	return all;
}

/* Another process writes them. */
static int feed(size_t kind, size_t size, unsigned *blocks)
{
	size_t used;
	uint8_t *all = make(kind, size, &used, blocks);
	int ends[2];

	assert_int_equal(pipe2(ends, O_DIRECT | O_CLOEXEC), 0);
	fflush(NULL);
	if (fork() == 0) {
		close(ends[0]);
		for (size_t at = 0; at < used; at += PIECE)
			if (write(ends[1], all + at, used - at < PIECE ? used - at : PIECE) < 0)
				_exit(1);
		_exit(0);
	}
	close(ends[1]);
	free(all);
	return ends[0];
}

static unsigned read_put(int fd)
{
	struct pcapng_block b;
	struct input in;
	unsigned n = 0;

	input_init(&in, fd);
	while (input_fill(&in) > 0)
		while (input_next(&in, &b) == 1)
			n++;
	assert_int_equal(input_left(&in), 0);
	input_free(&in);
	close(fd);
	return n;
}

static unsigned read_find(int fd)
{
	struct capture_item i;
	struct capture c;
	unsigned n = 0;

	assert_int_equal(capture_open(&c, fd), 0);
	while (capture_next(&c, &i) > 0)
		n++;
	assert_null(c.fault);
	assert_false(c.is_cut);
	capture_close(&c);
	return n;
}

static clock_t time_of(unsigned (*reader)(int), size_t kind, size_t size)
{
	unsigned blocks;
	int fd = feed(kind, size, &blocks), status;
	clock_t begun = clock();

	assert_int_equal(reader(fd), blocks);
	begun = clock() - begun;
	wait(&status);
	assert_int_equal(status, 0);
	return begun;
}

static void is_flat(const char *name, unsigned (*reader)(int))
{
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		clock_t few = time_of(reader, kind, FEW), many = time_of(reader, kind, TIMES * FEW);

		printf("%s, %s: %.2f and %.2f ns a byte\n", name, kinds[kind].name,
		       1e9 * few / CLOCKS_PER_SEC / FEW,
		       1e9 * many / CLOCKS_PER_SEC / (TIMES * FEW));
		assert_true(many < 3 * TIMES * few + CLOCKS_PER_SEC / 10);
	}
}

static void a_byte_takes_put_no_longer(void **state)
{
	(void)state;
	is_flat("put", read_put);
}

static void a_byte_takes_find_no_longer(void **state)
{
	(void)state;
	is_flat("find", read_find);
}

#ifdef HAVE_ZSTD
#define TINY 300000
#define PART 1000

static size_t compress_part(uint8_t *to, size_t room, uint8_t with)
{
	uint8_t part[PART];

	memset(part, with, sizeof(part));
	return ZSTD_compress(to, room, part, sizeof(part), 1);
}

/* Three times a frame of some bytes, and behind it many of one. */
static int make_frames(void)
{
	static const uint8_t tiny[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 9, 0, 0, 'x'};
	FILE *f = tmpfile();
	uint8_t frame[256];
	int fd;

	assert_non_null(f);
	for (unsigned part = 1; part <= 3; part++) {
		fwrite(frame, 1, compress_part(frame, sizeof(frame), (uint8_t)part), f);
		for (unsigned i = 0; i < TINY; i++)
			fwrite(tiny, 1, sizeof(tiny), f);
	}
	fflush(f);
	fd = dup(fileno(f));
	fclose(f);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* A place is found all the same. */
static void tiny_frames_take_no_memory(void **state)
{
	uint64_t start[3], skip[3];
	uint8_t got[4096], one;
	size_t done = 0;
	struct source s;
	ssize_t n;

	(void)state;
	assert_int_equal(source_open(&s, make_frames()), 0);
	while ((n = source_read(&s, got, sizeof(got))) > 0)
		done += (size_t)n;
	assert_int_equal(done, 3 * (PART + TINY));
	assert_true(s.frames.room <= 4u << 20);
	for (unsigned i = 0; i < 3; i++)
		source_place(&s, i * (PART + TINY) + 7, &start[i], &skip[i]);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(source_seek(&s, start[i], skip[i]), 0);
		assert_int_equal(source_read(&s, &one, 1), 1);
		assert_int_equal(one, i + 1);
	}
	source_close(&s);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_takes_put_no_longer),
		cmocka_unit_test(a_byte_takes_find_no_longer),
#ifdef HAVE_ZSTD
		cmocka_unit_test(tiny_frames_take_no_memory),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
