/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Packets name processes by number: in each section that is cut of a stream, and in the file that
 * is made of the sections of several, the number is that of the same process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raw_blocks.h"
#include "kafka/get/merge.h"
#include "kafka/section.h"

#define NAMES	 5
#define FIRST	 1000000000u
#define PACKETS	 200
#define NO_ONE	 0xffffffff
#define PROCESS	 (EPB_PROCESS | 4u << 16)
#define FILE_MAX (1u << 20)

static const char names[NAMES][5] = {"aaaa", "bbbb", "cccc", "dddd", "eeee"};
static const struct label who = {.host = "h", .session = "s", .writer = "w"};

struct one {
	struct section section;
	struct streams *streams;
	unsigned sections;
	uint32_t from; /* its processes begin with this name */
};

static void add(struct one *o)
{
	struct stream *unused;
	struct buffer message;
	struct label l;

	memset(&l, 0, sizeof(l));
	assert_int_equal(section_cut(&o->section, 0, 0, &message, &l), 0);
	assert_int_equal(streams_add(o->streams, &l, message.at, message.used, &unused), 0);
	buffer_free(&message);
	o->sections++;
}

static void give(struct one *o, struct buffer *b)
{
	struct pcapng_reader r = {.at = b->at, .end = b->at + b->used};
	struct pcapng_block block;

	while (pcapng_next(&r, &block)) {
		int e = section_take(&o->section, &block);

		if (e == 1) {
			add(o);
			e = section_take(&o->section, &block);
		}
		assert_int_equal(e, 0);
	}
	assert_ptr_equal(r.at, r.end);
	b->used = 0;
}

static void put_process(struct buffer *b, uint32_t pid, const char *name)
{
	uint32_t block[] = {BLOCK_PROCESS, 28, pid, 2 | 4u << 16, 0, 0, 28};

	memcpy(&block[4], name, 4);
	assert_int_equal(buffer_append(b, block, sizeof(block)), 0);
}

/* Its frame has the name that it is to have. number: NO_ONE: it has none. Some are in blocks of the
 * kind that was before the enhanced one. */
static void put_named(struct buffer *b, uint32_t time, uint32_t number, const char *name)
{
	uint32_t block[] = {time % 3 ? BLOCK_ENHANCED_PACKET : BLOCK_PACKET,
			    48,
			    0,
			    0,
			    FIRST + time,
			    4,
			    4,
			    0,
			    PROCESS,
			    number,
			    0,
			    48};

	memcpy(&block[7], name, 4);
	assert_int_equal(buffer_append(b, block, sizeof(block)), 0);
}

static void begin(struct one *o, struct streams *streams, const char *host, uint32_t from)
{
	struct label l = who;
	struct buffer b = {.at = NULL};

	*o = (struct one){.streams = streams, .from = from};
	snprintf(l.host, sizeof(l.host), "%s", host);
	section_init(&o->section, &l, 2560);
	put_header(&b);
	put_numbered(&b, 7, 1);
	for (uint32_t i = 0; i < NAMES; i++)
		put_process(&b, 100 + (from + i) % NAMES, names[(from + i) % NAMES]);
	give(o, &b);
	buffer_free(&b);
}

static void give_some(struct one *o, uint32_t offset)
{
	struct buffer b = {.at = NULL};

	for (uint32_t i = 0; i < PACKETS; i++) {
		uint32_t number = i / 50 % 2 ? i % NAMES : 3;

		put_named(&b, i * 2 + offset, number, names[(o->from + number) % NAMES]);
		if (i % 40 == 7)
			put_named(&b, i * 2 + offset, NAMES + i, "none");
		give(o, &b);
	}
	buffer_free(&b);
	add(o);
}

/* The name of the block of that number; NULL: there is none. */
static const uint8_t *name_of(const uint8_t *const *found, size_t count, uint32_t number)
{
	return number < count ? found[number] : (const uint8_t *)"none";
}

static unsigned look_at(const uint8_t *data, size_t n, size_t wanted)
{
	struct pcapng_reader r = {.at = data, .end = data + n};
	const uint8_t *found[64];
	struct pcapng_block b;
	size_t processes = 0;
	unsigned packets = 0;

	while (pcapng_next(&r, &b)) {
		struct pcapng_options options;
		struct pcapng_option o;
		struct pcapng_packet p;

		if (b.type == BLOCK_PROCESS) {
			assert_true(processes < 64);
			found[processes++] = b.body + 8;
		}
		if (b.type != BLOCK_ENHANCED_PACKET && b.type != BLOCK_PACKET)
			continue;
		packets++;
		assert_true(pcapng_packet_read(&p, &b));
		options = pcapng_options(&b, p.options_from);
		assert_true(processes_next(&options, &o));
		assert_memory_equal(b.body + 20,
				    name_of(found, processes, pcapng_u32(o.value, false)), 4);
	}
	assert_null(r.fault);
	assert_ptr_equal(r.at, r.end);
	assert_int_equal(processes, wanted);
	return packets;
}

static void a_number_is_of_the_same_process(void **state)
{
	static char *const none[] = {NULL};
	static uint8_t data[FILE_MAX];
	char path[] = "/tmp/processes_test.XXXXXX";
	struct options options = {.until = UINT64_MAX, .write = path, .rest = none};
	struct streams streams;
	struct output output;
	struct merge merge;
	struct one one, two;
	int fd = mkstemp(path);
	ssize_t n;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(streams_open(&streams, NULL), 0);
	assert_int_equal(output_open(&output, &options), 0);
	assert_int_equal(output_begin(&output), 0);
	merge_init(&merge, &streams, &output);
	begin(&one, &streams, "one", 0);
	begin(&two, &streams, "two", 2);
	give_some(&one, 0);
	give_some(&two, 1);
	assert_true(one.sections > 3);
	assert_int_equal(merge_run(&merge, UINT64_MAX), 0);
	assert_int_equal(merge.faults, 0);
	assert_int_equal(output_close(&output), 0);
	merge_free(&merge);
	streams_close(&streams);
	section_free(&one.section);
	section_free(&two.section);
	n = read(fd, data, sizeof(data));
	close(fd);
	unlink(path);
	assert_int_equal(look_at(data, (size_t)n, NAMES), 2 * (PACKETS + PACKETS / 40));
}

/* A section of one packet, and so many processes. */
static void cut_one(struct section *s, size_t processes)
{
	struct buffer message;
	struct label l = who;

	assert_int_equal(section_cut(s, 0, 0, &message, &l), 0);
	assert_int_equal(look_at(message.at, message.used, processes), 1);
	buffer_free(&message);
}

/* Its number would be another's, where both are of one section: numbers of that begin again. */
static void who_comes_later_is_in_another_section(void **state)
{
	struct buffer b = {.at = NULL};
	struct pcapng_reader r;
	struct pcapng_block block;
	struct section s;
	unsigned cuts = 0;

	(void)state;
	section_init(&s, &who, 2560);
	put_header(&b);
	put_numbered(&b, 7, 1);
	put_named(&b, 1, 0, "none");
	put_process(&b, 100, names[0]);
	put_process(&b, 101, names[1]);
	put_named(&b, 2, 1, names[1]);
	r = (struct pcapng_reader){.at = b.at, .end = b.at + b.used};
	while (pcapng_next(&r, &block)) {
		int e = section_take(&s, &block);

		if (e == 1) {
			cut_one(&s, 0);
			cuts++;
			e = section_take(&s, &block);
		}
		assert_int_equal(e, 0);
	}
	assert_int_equal(cuts, 1);
	cut_one(&s, 1);
	section_free(&s);
	buffer_free(&b);
}

static void too_many_are_a_fault(void **state)
{
	struct buffer b = {.at = NULL};
	struct pcapng_reader r;
	struct pcapng_block block;
	struct section s;
	unsigned i = 0;
	int e = 0;

	(void)state;
	section_init(&s, &who, SECTION_SIZE);
	put_header(&b);
	put_process(&b, 1, names[0]);
	r = (struct pcapng_reader){.at = b.at, .end = b.at + b.used};
	assert_true(pcapng_next(&r, &block));
	assert_int_equal(section_take(&s, &block), 0);
	assert_true(pcapng_next(&r, &block));
	while (!e && i++ <= PROCESSES_MOST / 28)
		e = section_take(&s, &block);
	assert_int_equal(e, -EBADMSG);
	assert_int_equal(i, PROCESSES_MOST / 28 + 1);
	assert_string_equal(s.fault, "it has more than 16777216 bytes of processes");
	section_free(&s);
	buffer_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_of_the_same_process),
		cmocka_unit_test(who_comes_later_is_in_another_section),
		cmocka_unit_test(too_many_are_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
