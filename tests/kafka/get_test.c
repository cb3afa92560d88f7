/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Sections of a topic become one file: also after days, with broken names in them, and of streams
 * and interfaces without end. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "get_streams.h"
#include "pcapng/convert.h"
#include "util/command/signals.h"
#include "tests/ranges.h"

static int add_numbered(struct get *g, struct section *s, uint64_t sequence)
{
	s->label.sequence = s->label.before = sequence;
	give_packet(s, 0, 1000 + sequence);
	return add(g, s);
}

static uint64_t missing_sections(const struct get *g)
{
	struct gap sum = {.lost = 0};

	for (size_t i = 0; i < g->streams.count; i++)
		gap_of_stream(&sum, g->streams.stream[i], &g->options);
	return sum.sections;
}

static void what_is_done_takes_no_room(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin(&s, &ethernet, 1);
	for (uint64_t i = 0; i < 20000; i++) {
		if (i != 2000 && i != 2001)
			assert_int_equal(add_numbered(&g, &s, i), 0);
		if (i % 100)
			continue;
		assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
		streams_settle(&g.streams);
	}
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_true(g.streams.stream[0]->count < 2000);
	assert_int_equal(g.output.packets, 19998);
	/* Duplicates and gaps are found as before. */
	assert_int_equal(add_numbered(&g, &s, 0), 1);
	assert_int_equal(add_numbered(&g, &s, 1000), 1);
	assert_int_equal(add_numbered(&g, &s, 19999), 1);
	assert_int_equal(missing_sections(&g), 2);
	/* What comes very late comes all the same. */
	assert_int_equal(add_numbered(&g, &s, 2001), 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	streams_settle(&g.streams);
	assert_int_equal(g.output.packets, 19999);
	assert_int_equal(missing_sections(&g), 1);
	assert_int_equal(g.merge.faults, 0);
	section_free(&s);
	close_get(&g);
}

/* libpcap would not read it whole. */
static void what_is_too_long_is_cut_and_counted(void **state)
{
	static uint8_t frame[SNAPLEN_MOST + 4], block[sizeof(frame) + 64];
	const struct pcapng_frame f = {0, 1000, sizeof(frame), sizeof(frame), frame};
	struct bytes b = {.at = block, .room = sizeof(block)};
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin(&s, &ethernet, 1);
	give_packet(&s, 0, 999);
	pcapng_put_frame(&b, &f);
	assert_int_equal(give(&s, &b), 0);
	assert_int_equal(add(&g, &s), 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, 2);
	assert_int_equal(g.output.shortened, 1);
	section_free(&s);
	close_get(&g);
}

/* Secrets that claim to be longer than their block. */
static void broken_names_take_no_packets_away(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin(&s, &ethernet, 1);
	pcapng_put_secrets(&b, SECRETS_TLS_KEY_LOG, "key", 3);
	memory[12] = 200;
	assert_int_equal(give(&s, &b), 0);
	for (unsigned i = 0; i < 10; i++) {
		give_packet(&s, 0, 1000 + i);
		assert_int_equal(add(&g, &s), 0);
	}
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, 10);
	assert_int_equal(g.merge.faults, 1); /* the same ones in all of them */
	section_free(&s);
	close_get(&g);
}

/* Of the other byte order: an option without a value has none behind it, either. */
static void an_empty_option_stays_empty(void **state)
{
	const uint32_t words[] = {BLOCK_NAMES, 20, 0x10000, 0, 20};
	struct buffer given = {.at = NULL}, made = {.at = NULL};
	struct pcapng_reader r = {.swapped = true};
	struct pcapng_block b;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(buffer_u32(&given, words[i], true), 0);
	r.at = given.at;
	r.end = given.at + given.used;
	assert_true(pcapng_next(&r, &b));
	assert_int_equal(convert_names(&made, &b), 0);
	assert_int_equal(made.used, given.used);
	buffer_free(&given);
	buffer_free(&made);
}

static void put_code(struct buffer *b, uint16_t code, uint16_t length, bool swapped)
{
	assert_int_equal(buffer_u16(b, code, swapped), 0);
	assert_int_equal(buffer_u16(b, length, swapped), 0);
}

/* With each option that has numbers in it, of ours and of others. */
static void put_numbers(struct buffer *b, bool swapped)
{
	static const uint16_t once[][2] = {{EPB_FLAGS, 4},   {EPB_DROPCOUNT, 8},  {EPB_PACKETID, 8},
					   {EPB_QUEUE, 4},   {0x8101, 8},	  {EPB_PROCESS, 4},
					   {EPB_PROCESS, 8}, {EPB_PROCESS_FOR, 4}};
	static const uint16_t custom[] = {2988, 2989, 19372, 19373};
	const uint32_t fixed[] = {BLOCK_ENHANCED_PACKET, 244, 0, 0, 1000, 0, 0};

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		assert_int_equal(buffer_u32(b, fixed[i], swapped), 0);
	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++) {
		put_code(b, once[i][0], once[i][1], swapped);
		assert_int_equal(once[i][1] == 4 ? buffer_u32(b, 0x1020304, swapped)
						 : buffer_u64(b, 0x102030405060708, swapped),
				 0);
	}
	for (uint8_t kind = 0; kind < 3; kind++) {
		put_code(b, EPB_VERDICT, 9, swapped);
		assert_int_equal(buffer_append(b, &kind, 1), 0);
		assert_int_equal(buffer_u64(b, 2, kind && swapped), 0);
		assert_int_equal(buffer_pad(b), 0);
	}
	put_code(b, EPB_THREAD, 8, swapped);
	assert_int_equal(buffer_u32(b, 1234, swapped) + buffer_u32(b, 5678, swapped), 0);
	put_code(b, 0x8102, 16, swapped); /* a drop: reason, interface, namespace, then text */
	for (uint32_t i = 1; i < 4; i++)
		assert_int_equal(buffer_u32(b, i, swapped), 0);
	assert_int_equal(buffer_append(b, "r\0p", 4), 0);
	for (size_t i = 0; i < 4; i++) { /* an enterprise's number, then what it wants */
		put_code(b, custom[i], 8, swapped);
		assert_int_equal(buffer_u32(b, 32473, swapped), 0);
		assert_int_equal(buffer_append(b, "text", 4), 0);
	}
	put_code(b, OPT_END, 0, swapped);
	assert_int_equal(buffer_u32(b, fixed[1], swapped), 0);
	assert_int_equal(b->used, fixed[1]);
}

/* What is written of a packet says the same, whatever byte order it came in. */
static void numbers_are_those_of_this_machine(void **state)
{
	struct buffer made[2] = {{.at = NULL}, {.at = NULL}};

	(void)state;
	for (int swapped = 0; swapped < 2; swapped++) {
		struct buffer given = {.at = NULL};
		struct pcapng_reader r = {.swapped = swapped};
		struct pcapng_packet p;
		struct pcapng_block b;

		put_numbers(&given, swapped);
		r.at = given.at;
		r.end = given.at + given.used;
		assert_true(pcapng_next(&r, &b));
		assert_true(pcapng_packet_read(&p, &b));
		assert_int_equal(convert_packet(&made[swapped], &b, &p, 0, NULL, NULL), 0);
		if (!swapped)
			assert_memory_equal(made[0].at, given.at, given.used);
		buffer_free(&given);
	}
	assert_int_equal(made[0].used, made[1].used);
	assert_memory_equal(made[0].at, made[1].at, made[0].used);
	buffer_free(&made[0]);
	buffer_free(&made[1]);
}

/* Its block does not say how much of it was kept, but its interface does. */
static void a_simple_packet_has_no_padding(void **state)
{
	const uint32_t packet[] = {BLOCK_SIMPLE_PACKET, 24, 9, 0x1010101, 1, 24};
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	const uint32_t snaplen = 5;
	struct bytes b = {.at = memory, .used = sizeof(packet)};
	struct pcapng_reader r;
	struct pcapng_packet p = {.caplen = 0};
	struct pcapng_block block;
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin_with(&s, &ethernet, &snaplen, 1);
	memcpy(memory, packet, sizeof(packet));
	assert_int_equal(give(&s, &b), 0);
	assert_int_equal(add(&g, &s), 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, 1);
	r = (struct pcapng_reader){.at = g.output.data.at,
				   .end = g.output.data.at + g.output.data.used};
	while (pcapng_next(&r, &block))
		if (pcapng_is_packet(block.type))
			assert_true(pcapng_packet_read(&p, &block));
	assert_int_equal(p.caplen, 5);
	assert_int_equal(p.len, 9);
	section_free(&s);
	close_get(&g);
}

/* A clock that is beyond all: without --until there is no end. */
static void no_time_is_too_late(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct section s;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	begin(&s, &ethernet, 1);
	give_packet(&s, 0, UINT64_MAX);
	assert_int_equal(add(&g, &s), 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, 1);
	section_free(&s);
	close_get(&g);
}

/* What this process has taken of processors, in ms. */
static long cpu_ms(void)
{
	return (long)(clock() / (CLOCKS_PER_SEC / 1000));
}

/* Six messages that were made for it. */
static void many_interfaces_take_little_time(void **state)
{
	static char *const expression[] = {"tcp port 80", NULL};
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct get g;
	long begun;

	(void)state;
	open_get(&g, expression);
	for (uint32_t message = 0; message < 6; message++) {
		put_header(&b);
		for (uint32_t i = 0; i < 44000; i++)
			put_numbered(&b, message * 44000 + i, LINKTYPE_ETHERNET);
		put_packet(&b, 43999, message);
		l.sequence = message;
		add_raw(&g, &l, &b);
	}
	begun = cpu_ms();
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_in_range(cpu_ms() - begun, 0, 10000);
	assert_int_equal(g.output.count, OUTPUT_INTERFACES_MAX);
	assert_int_equal(g.output.beyond, 1); /* that of the sixth */
	buffer_free(&b);
	close_get(&g);
}

/* The same again and again are one. */
static void interfaces_are_written_once(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct get g;

	(void)state;
	open_get(&g, NULL);
	for (uint32_t message = 0; message < 3; message++) {
		put_header(&b);
		for (uint32_t i = 0; i < 100; i++)
			put_numbered(&b, i, LINKTYPE_ETHERNET);
		for (uint32_t i = 0; i < 100; i++)
			put_packet(&b, i, message);
		l.sequence = message;
		add_raw(&g, &l, &b);
	}
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.count, 100);
	assert_int_equal(g.output.packets, 300);
	buffer_free(&b);
	close_get(&g);
}

static unsigned clashes;

static void count_clash(const struct stream *s)
{
	(void)s;
	clashes++;
}

/* A hundred thousand captures that say that they are one, each with a packet, the latest first. */
/* Of a section that is cut again, and of packets of some interfaces alone, labels list fewer. */
static void interfaces_that_come_later_are_listed(void **state)
{
	static const char *const lists[] = {"eth0", "eth0,eth1", "eth0", "eth0,eth1,eth2", "eth1"};
	static const char *const known[] = {"eth0", "eth0,eth1", "eth0,eth1", "eth0,eth1,eth2",
					    "eth0,eth1,eth2"};
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct get g;

	(void)state;
	open_get(&g, NULL);
	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		snprintf(l.interface, sizeof(l.interface), "%s", lists[i]);
		l.sequence = i;
		put_header(&b);
		put_numbered(&b, 0, LINKTYPE_ETHERNET);
		put_packet(&b, 0, i);
		add_raw(&g, &l, &b);
		assert_string_equal(g.streams.stream[0]->interface, known[i]);
	}
	buffer_free(&b);
	close_get(&g);
}

static void many_streams_take_little_time(void **state)
{
	const uint32_t most = 100000;
	struct label l = who;
	struct buffer b = {.at = NULL};
	long begun = cpu_ms();
	struct get g;

	(void)state;
	open_get(&g, NULL);
	l.last = UINT64_MAX;
	for (uint32_t i = 0; i < most; i++) {
		snprintf(l.writer, sizeof(l.writer), "%u", i);
		put_header(&b);
		put_numbered(&b, 0, LINKTYPE_ETHERNET);
		put_packet(&b, 0, most - i);
		add_raw(&g, &l, &b);
	}
	l.sequence = 2; /* of each, one is missing */
	for (uint32_t i = 0; i < most; i++) {
		snprintf(l.writer, sizeof(l.writer), "%u", i);
		add_raw(&g, &l, &b);
	}
	assert_int_equal(g.streams.count, most);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, most);
	assert_int_equal(g.output.disordered, 0);
	assert_int_equal(missing_sections(&g), most);
	assert_int_equal(streams_clashes(&g.streams, count_clash), 0);
	assert_int_equal(clashes, 1);
	assert_in_range(cpu_ms() - begun, 0, 10000);
	buffer_free(&b);
	close_get(&g);
}

/* Whatever the packets of the streams are like, and however often what is ripe goes out. */
static void the_oldest_goes_first(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	uint64_t random = 1;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	for (uint32_t stream = 0; stream < 50; stream++) {
		uint32_t time = 0;

		l.stream = stream;
		put_header(&b);
		put_numbered(&b, 0, LINKTYPE_ETHERNET);
		for (unsigned i = 0; i < 200; i++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			time += random >> 33 & 7;
			put_packet(&b, 0, time);
		}
		add_raw(&g, &l, &b);
	}
	for (uint64_t until = 0; until < 2000; until += 100) /* microseconds */
		assert_int_equal(merge_run(&g.merge, until * 1000), 0);
	assert_int_equal(g.output.packets, 50 * 200);
	assert_int_equal(g.output.disordered, 0);
	buffer_free(&b);
	close_get(&g);
}

/* Also where nothing but interfaces comes; and it can go on. */
static void a_signal_is_heeded(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct get g;

	(void)state;
	open_get(&g, NULL);
	put_header(&b);
	for (uint32_t i = 0; i < 1000; i++)
		put_numbered(&b, i, LINKTYPE_ETHERNET);
	put_packet(&b, 999, 1);
	add_raw(&g, &l, &b);
	signals_stop = 1;
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), -EINTR);
	assert_int_equal(g.output.count, 0);
	g.merge.patience = 1;
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	assert_int_equal(g.output.packets, 1);
	signals_stop = 0;
	buffer_free(&b);
	close_get(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_done_takes_no_room),
		cmocka_unit_test(what_is_too_long_is_cut_and_counted),
		cmocka_unit_test(broken_names_take_no_packets_away),
		cmocka_unit_test(an_empty_option_stays_empty),
		cmocka_unit_test(numbers_are_those_of_this_machine),
		cmocka_unit_test(a_simple_packet_has_no_padding),
		cmocka_unit_test(no_time_is_too_late),
		cmocka_unit_test(many_interfaces_take_little_time),
		cmocka_unit_test(interfaces_are_written_once),
		cmocka_unit_test(interfaces_that_come_later_are_listed),
		cmocka_unit_test(many_streams_take_little_time),
		cmocka_unit_test(the_oldest_goes_first),
		cmocka_unit_test(a_signal_is_heeded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
