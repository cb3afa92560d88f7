/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a child gets by a pipe that it empties as it likes: whole blocks in order, and each packet,
 * or word of it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pcapng/packet.h"
#include "pcapng/write.h"
#include "tests/random.h"
#include "xdpdump/feed/feed.h"

#define MIB 1048576u

static struct feed *feed;
static int reading; /* the other end */
static uint8_t *got;
static size_t got_used, got_room;

static void give(const uint8_t *p, size_t n)
{
	struct iovec iov = {(void *)p, n};
	struct sink_taker to = feed_taker(feed);

	assert_int_equal(to.take(to.arg, &iov, 1), 0);
}

static void begin_section(unsigned interfaces)
{
	uint8_t memory[1024];
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_section s = {.os = "o"};
	const struct pcapng_interface i = {.link_type = 1};

	pcapng_put_section(&b, &s);
	while (interfaces--)
		pcapng_put_interface(&b, &i);
	give(memory, b.used);
}

/* So many in one piece. Their time is their number. */
static void send_packets(uint64_t *number, unsigned n, uint32_t interface, uint32_t length)
{
	static const uint8_t frame[2048];
	static uint8_t memory[64 * 2100];
	struct bytes b = {.at = memory, .room = sizeof(memory)};

	while (n--) {
		const struct pcapng_frame f = {interface, ++*number, length, length, frame};

		pcapng_put_frame(&b, &f);
	}
	assert_false(b.overflow);
	give(memory, b.used);
}

static void new_pipe(void)
{
	int fds[2];

	assert_int_equal(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
	reading = fds[0];
	feed_set_pipe(feed, fds[1]);
	got_used = 0;
}

static void next_reader(void)
{
	close(reading);
	new_pipe();
}

static void open_feed(void)
{
	assert_int_equal(feed_open(&feed, "why"), 0);
	new_pipe();
}

/* What is there, up to so many bytes: how many. */
static size_t read_some(size_t most)
{
	size_t done = 0;
	ssize_t n = 1;

	while (done < most && n > 0) {
		size_t part = most - done < MIB ? most - done : MIB;

		if (got_room - got_used < part) {
			got_room = 2 * got_room + part;
			got = realloc(got, got_room);
			assert_non_null(got);
		}
		n = read(reading, got + got_used, part);
		if (n > 0) {
			done += (size_t)n;
			got_used += (size_t)n;
		}
		feed_push(feed);
	}
	return done;
}

struct seen {
	uint64_t packets, gaps, sections, last;
	uint64_t missing; /* by the last number of each interface and section */
	size_t rest;	  /* bytes of no whole block */
};

/* One of ours has a text and a number: "3 packets are missing here: why", all of this interface. */
static void look_at_gap(const struct pcapng_block *b, uint64_t of[], struct seen *s)
{
	struct pcapng_options options = pcapng_options(b, 12);
	uint32_t id = pcapng_u32(b->body, false);
	struct pcapng_option o;
	uint64_t here = 0;

	while (pcapng_next_option(&options, &o)) {
		if (o.code == OPT_COMMENT)
			here = strtoull((const char *)o.value, NULL, 10);
		if (o.code != ISB_OSDROP)
			continue;
		assert_int_equal(pcapng_u64(o.value, false), of[id] + here);
		of[id] += here;
		s->missing += here;
		s->gaps++;
	}
}

/* It begins with a section; what is in it is sound, and in order. */
static void look(struct seen *s)
{
	struct pcapng_reader r = {.at = got, .end = got + got_used};
	uint64_t of[128] = {0};
	struct pcapng_packet p;
	struct pcapng_block b;
	uint32_t interfaces = 0;

	*s = (struct seen){.packets = 0};
	while (pcapng_next(&r, &b)) {
		assert_true(s->sections || b.type == BLOCK_SECTION);
		if (b.type == BLOCK_SECTION) {
			memset(of, 0, sizeof(of));
			interfaces = 0;
			s->sections++;
		}
		interfaces += b.type == BLOCK_INTERFACE;
		if (b.type == BLOCK_STATISTICS)
			look_at_gap(&b, of, s);
		if (!pcapng_is_packet(b.type))
			continue;
		assert_true(pcapng_packet_read(&p, &b));
		assert_true(p.interface_id < interfaces);
		assert_true(p.stamp > s->last);
		s->last = p.stamp;
		s->packets++;
	}
	assert_null(r.fault);
	s->rest = (size_t)(r.end - r.at);
}

static void close_feed(void)
{
	feed_close(feed);
	close(reading);
	free(got);
	got = NULL;
	got_used = got_room = 0;
}

static void room_that_is_read_is_free(void **state)
{
	uint64_t number = 0;
	size_t waiting;

	(void)state;
	open_feed();
	begin_section(1);
	while (number * 1532 < 7 * MIB)
		send_packets(&number, 10, 0, 1500);
	waiting = number * 1532 - read_some(3 * MIB);
	for (; waiting < 6 * MIB; waiting += 15320)
		send_packets(&number, 10, 0, 1500);
	assert_int_equal(feed_lost(feed), 0);
	close_feed();
}

/* What was lost in one is no loss of the next. */
static void sections_count_by_themselves(void **state)
{
	uint64_t number = 0;
	struct seen s;

	(void)state;
	open_feed();
	for (unsigned section = 0; section < 3; section++) {
		begin_section(2);
		for (unsigned i = 0; i < 1000; i++)
			send_packets(&number, 10, i % 2, 1500);
		read_some(SIZE_MAX);
		send_packets(&number, 1, 0, 60);
		read_some(SIZE_MAX);
	}
	assert_true(feed_lost(feed) > 0);
	look(&s);
	assert_int_equal(s.sections, 3);
	assert_int_equal(s.gaps, 6);
	assert_int_equal(s.missing, feed_lost(feed));
	assert_int_equal(s.packets + s.missing, number);
	assert_int_equal(s.rest, 0);
	close_feed();
}

/* At random: who reads much, little, nothing; sections begin. */
static void each_packet_comes_or_is_told(void **state)
{
	uint64_t random = RANDOM_SEED, number = 0;
	struct seen s;

	(void)state;
	open_feed();
	begin_section(3);
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t n = random_next(&random);

		send_packets(&number, 1 + n % 40, (uint32_t)(n >> 8) % 3,
			     60 + (uint32_t)(n >> 16) % 1440);
		if (n >> 32 & 1)
			read_some((n >> 33) % (i / 4000 % 2 ? 100000 : 10000));
		if ((n >> 52) % 1000 == 0)
			begin_section(3);
	}
	assert_true(feed_lost(feed) > 0);
	read_some(SIZE_MAX);
	feed_finish(feed);
	read_some(SIZE_MAX);
	look(&s);
	assert_int_equal(s.rest, 0);
	assert_int_equal(feed_packets(feed), number);
	assert_int_equal(s.packets + feed_lost(feed), number);
	close_feed();
}

/* Who reads is replaced by another, in the middle of anything: each begins at the beginning. */
static void another_reader_begins_anew(void **state)
{
	uint64_t random = RANDOM_SEED, number = 0, packets = 0, unread = 0, missing = 0;
	unsigned readers = 0;
	struct seen s;

	(void)state;
	open_feed();
	begin_section(2);
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t n = random_next(&random);

		send_packets(&number, 1 + n % 20, (uint32_t)(n >> 8) % 2, 1000);
		read_some((n >> 33) % 12000);
		if ((n >> 44) % 200 == 0)
			begin_section(2);
		if ((n >> 52) % 300 != 0)
			continue;
		look(&s);
		packets += s.packets;
		missing += s.missing;
		got_used = 0; /* what the pipe has is lost with its reader */
		while (read_some(SIZE_MAX) == 0 && feed_waits(feed))
			;
		unread += got_used / 1032 + 2;
		next_reader();
		readers++;
	}
	assert_true(readers > 20);
	read_some(SIZE_MAX);
	feed_finish(feed);
	read_some(SIZE_MAX);
	look(&s);
	packets += s.packets;
	missing += s.missing;
	assert_true(packets + feed_lost(feed) <= number);
	assert_true(packets + feed_lost(feed) + unread >= number);
	assert_true(missing <= feed_lost(feed));
	close_feed();
}

/* So many announcements of so many KiB each. */
static void announce(unsigned n, unsigned kib)
{
	static char text[64 * 1024];
	static uint8_t memory[sizeof(text) + 256];

	memset(text, 'x', kib * 1024);
	text[kib * 1024] = 0;
	for (; n; n--) {
		struct bytes b = {.at = memory, .room = sizeof(memory)};

		pcapng_put_interface(&b, &(struct pcapng_interface){.description = text});
		give(memory, b.used);
	}
}

/* Without them, packets behind would be taken for others'. */
static void without_room_for_interfaces_it_ends(void **state)
{
	uint64_t number = 0;
	struct seen s;

	(void)state;
	open_feed();
	begin_section(1);
	while (!feed_lost(feed))
		send_packets(&number, 10, 0, 1500);
	assert_false(feed_is_broken(feed));
	announce(10, 32);
	assert_true(feed_is_broken(feed));
	read_some(SIZE_MAX);
	look(&s);
	assert_true(s.packets > 0 && s.gaps == 0);
	/* The next reader gets them. */
	next_reader();
	while (feed_waits(feed))
		read_some(SIZE_MAX);
	send_packets(&number, 1, 10, 60);
	read_some(SIZE_MAX);
	look(&s);
	assert_int_equal(s.last, number);
	assert_int_equal(s.missing, feed_lost(feed));
	close_feed();
}

/* A new reader would need them: there is none until a section begins anew. */
static void too_long_a_beginning_gets_no_reader(void **state)
{
	uint64_t number = 0;
	struct seen s;

	(void)state;
	open_feed();
	begin_section(1);
	for (unsigned i = 0; i < 100; i++) {
		announce(1, 48);
		read_some(SIZE_MAX);
	}
	assert_false(feed_is_broken(feed));
	for (unsigned i = 0; i < 2; i++) { /* told once, refused always */
		next_reader();
		assert_true(feed_is_broken(feed));
		assert_int_equal(read_some(SIZE_MAX), 0);
	}
	begin_section(1);
	next_reader();
	assert_false(feed_is_broken(feed));
	send_packets(&number, 1, 0, 60);
	read_some(SIZE_MAX);
	look(&s);
	assert_int_equal(s.packets, 1);
	close_feed();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_that_is_read_is_free),
		cmocka_unit_test(sections_count_by_themselves),
		cmocka_unit_test(each_packet_comes_or_is_told),
		cmocka_unit_test(another_reader_begins_anew),
		cmocka_unit_test(without_room_for_interfaces_it_ends),
		cmocka_unit_test(too_long_a_beginning_gets_no_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
