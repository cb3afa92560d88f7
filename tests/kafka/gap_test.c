/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What is lost arrives: put counts what its input says is missing, and get tells it with the first
 * packet behind it, and with each interface, whoever lost it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "raw_blocks.h"
#include "kafka/get/gap.h"
#include "kafka/get/merge.h"
#include "kafka/put/losses.h"

#define FOUND_MAX 8
#define FEW	  4000
#define MANY	  200000u

static const struct label who = {.host = "h", .session = "s", .writer = "w"};

struct get {
	struct options options;
	struct streams streams;
	struct output output;
	struct merge merge;
	int file;
};

/* What is in the file: of each packet, then of the interface. */
struct found {
	uint64_t dropcount[FOUND_MAX];
	char comment[FOUND_MAX][512];
	unsigned packets;
	uint64_t dropped, delivered, statistics;
};

static void put_count(struct buffer *b, uint16_t code, uint64_t n)
{
	put_word(b, code | sizeof(n) << 16);
	assert_int_equal(buffer_append(b, &n, sizeof(n)), 0);
}

/* Of interface 0, with that isb_osdrop, and, where they are not UINT64_MAX, others. */
static void put_statistics(struct buffer *b, uint64_t osdrop, uint64_t ifdrop)
{
	bool is_closing = ifdrop != UINT64_MAX;
	uint32_t length = 24 + 12 + (is_closing ? 12 : 0) + 4;

	put_word(b, BLOCK_STATISTICS);
	put_word(b, length);
	for (unsigned i = 0; i < 3; i++)
		put_word(b, 0);
	if (is_closing)
		put_count(b, ISB_IFDROP, ifdrop);
	put_count(b, ISB_OSDROP, osdrop);
	put_word(b, 0);
	put_word(b, length);
}

/* Port 0 is not asked for where there is an expression. */
static void put_dropping(struct buffer *b, uint32_t time, uint64_t dropcount, uint32_t bytes)
{
	uint32_t length = 36 + 4 + 12;

	put_word(b, BLOCK_ENHANCED_PACKET);
	put_word(b, length);
	put_word(b, 0);
	put_word(b, 0);
	put_word(b, time);
	put_word(b, 4);
	put_word(b, bytes);
	put_word(b, 0);
	put_count(b, EPB_DROPCOUNT, dropcount);
	put_word(b, 0);
	put_word(b, length);
}

static void begin(struct buffer *b)
{
	b->used = 0;
	put_header(b);
	put_numbered(b, 0, LINKTYPE_ETHERNET);
}

static void open_get(struct get *g, char *const *expression)
{
	static char *const none[] = {NULL};
	char path[] = "/tmp/gap_testXXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	*g = (struct get){.options = {.until = UINT64_MAX,
				      .write = path,
				      .rest = expression ? expression : none},
			  .file = fd};
	assert_int_equal(streams_open(&g->streams, NULL), 0);
	assert_int_equal(output_open(&g->output, &g->options), 0);
	assert_int_equal(output_begin(&g->output), 0);
	unlink(path);
	g->output.name = "a file";
	merge_init(&g->merge, &g->streams, &g->output);
}

static void add(struct get *g, const struct label *l, const struct buffer *b)
{
	struct stream *s;

	assert_int_equal(streams_add(&g->streams, l, b->at, b->used, &s), 0);
	stream_begins(s, l->sequence);
}

static void look_at_packet(struct found *f, const struct pcapng_block *b)
{
	struct pcapng_options options;
	struct pcapng_packet p;
	struct pcapng_option o;

	assert_true(f->packets < FOUND_MAX);
	assert_true(pcapng_packet_read(&p, b));
	f->dropcount[f->packets] = pcapng_packet_dropcount(b, &p);
	options = pcapng_options(b, p.options_from);
	while (pcapng_next_option(&options, &o))
		if (o.code == OPT_COMMENT)
			snprintf(f->comment[f->packets], sizeof(f->comment[0]), "%.*s", o.length,
				 (const char *)o.value);
	f->packets++;
}

static void look_at_statistics(struct found *f, const struct pcapng_block *b)
{
	struct pcapng_options options = pcapng_options(b, 12);
	struct pcapng_option o;

	f->statistics++;
	while (pcapng_next_option(&options, &o)) {
		if (o.code == ISB_OSDROP)
			f->dropped += pcapng_u64(o.value, b->swapped);
		if (o.code == ISB_USRDELIV)
			f->delivered += pcapng_u64(o.value, b->swapped);
	}
}

static void close_get(struct get *g, struct found *f)
{
	static uint8_t memory[65536];
	struct pcapng_reader r = {.at = memory};
	struct pcapng_block b;
	ssize_t n;

	assert_int_equal(merge_run(&g->merge, UINT64_MAX), 0);
	assert_int_equal(merge_end(&g->merge), 0);
	assert_int_equal(output_close(&g->output), 0);
	merge_free(&g->merge);
	streams_close(&g->streams);
	n = pread(g->file, memory, sizeof(memory), 0);
	assert_true(n > 0);
	close(g->file);
	r.end = memory + n;
	*f = (struct found){.packets = 0};
	while (pcapng_next(&r, &b)) {
		if (pcapng_is_packet(b.type))
			look_at_packet(f, &b);
		if (b.type == BLOCK_STATISTICS)
			look_at_statistics(f, &b);
	}
	assert_null(r.fault);
}

static struct gap sum_of(const struct get *g)
{
	struct gap sum = {.lost = 0};

	for (size_t i = 0; i < g->streams.count; i++)
		gap_of_stream(&sum, g->streams.stream[i], &g->options);
	return sum;
}

/* 4 were lost on the way, and two sections of 10 and 3 packets are gone, the first of all, too. */
static void what_is_missing_is_told(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct found f;
	struct gap sum;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	l.sequence = 1;
	l.before = 10;
	l.packets = 1;
	begin(&b);
	put_packet(&b, 0, 1);
	add(&g, &l, &b);
	l.sequence = 3;
	l.before = 10 + 1 + 3 + 4;
	l.lost = 4;
	l.dropped = 7;
	begin(&b);
	put_packet(&b, 0, 2);
	put_dropping(&b, 3, 7, 60);
	put_packet(&b, 0, 4);
	l.packets = 3;
	add(&g, &l, &b);
	sum = sum_of(&g);
	assert_int_equal(sum.sections, 2);
	assert_int_equal(sum.removed, 13);
	assert_int_equal(sum.lost, 4);
	assert_int_equal(sum.dropped, 7);
	assert_int_equal(sum.unknown, 0);
	close_get(&g, &f);
	assert_int_equal(f.packets, 4);
	assert_int_equal(f.dropcount[0], 10);
	assert_int_equal(f.dropcount[1], 7);
	assert_int_equal(f.dropcount[2], 7);
	assert_int_equal(f.dropcount[3], 0);
	assert_string_equal(f.comment[0], "missing in front of this packet: 10 packets of sections "
					  "that are missing");
	assert_string_equal(f.comment[1],
			    "missing in front of this packet: 4 packets lost on the way to Kafka, "
			    "3 packets of sections that are missing");
	assert_string_equal(f.comment[2], "");
	assert_int_equal(f.statistics, 1);
	assert_int_equal(f.dropped, 10 + 7 + 7);
	assert_int_equal(f.delivered, 4);
	buffer_free(&b);
}

/* Of a writer that does not say how many packets are in front; and lost at the end, in statistics.
 */
static void what_nobody_knows_is_told_so(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct found f;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	l.sequence = 2;
	l.before = LABEL_NOT_SAID;
	l.dropped = 2;
	l.behind = 5;
	begin(&b);
	put_packet(&b, 0, 1);
	put_statistics(&b, 5, UINT64_MAX);
	put_packet(&b, 0, 2);
	add(&g, &l, &b);
	assert_int_equal(sum_of(&g).unknown, 2);
	close_get(&g, &f);
	assert_int_equal(f.packets, 2);
	assert_int_equal(f.dropcount[0], 0);
	assert_string_equal(f.comment[0], "missing in front of this packet: 2 missing sections, of "
					  "which nobody says how many packets they had");
	assert_int_equal(f.dropcount[1], 5);
	assert_int_equal(f.dropped, 5 + 2);
	buffer_free(&b);
}

/* A packet that is not asked for tells it to the next one that is. */
static void a_filter_takes_no_loss_away(void **state)
{
	static char *const expression[] = {"greater 100", NULL};
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct found f;
	struct get g;

	(void)state;
	open_get(&g, expression);
	l.dropped = 12;
	begin(&b);
	put_dropping(&b, 1, 4, 60);
	put_dropping(&b, 2, 8, 200);
	add(&g, &l, &b);
	close_get(&g, &f);
	assert_int_equal(f.packets, 1);
	assert_int_equal(f.dropcount[0], 12);
	assert_int_equal(f.dropped, 12);
	buffer_free(&b);
}

/* Sections of seconds 1, 3 and 9; the one of second 6 is missing. */
static uint64_t missing_between(uint64_t since, uint64_t until, bool from_start)
{
	static const uint64_t seconds[] = {1, 3, 9};
	struct get g = {.options = {.since = since, .until = until}};
	struct label l = who;
	struct stream *s;
	struct gap sum;

	assert_int_equal(streams_open(&g.streams, NULL), 0);
	for (unsigned i = 0; i < 3; i++) {
		l.sequence = 5 + i + (i == 2);
		l.first = l.last = seconds[i];
		assert_int_equal(streams_add(&g.streams, &l, NULL, 0, &s), 0);
		if (from_start)
			stream_begins(s, l.sequence);
	}
	sum = sum_of(&g);
	streams_close(&g.streams);
	return sum.sections;
}

static void a_gap_counts_in_its_time(void **state)
{
	(void)state;
	assert_int_equal(missing_between(0, UINT64_MAX, true), 6);
	assert_int_equal(missing_between(0, UINT64_MAX, false), 1);
	assert_int_equal(missing_between(2, UINT64_MAX, true), 1);
	assert_int_equal(missing_between(4, 6, true), 1);
	assert_int_equal(missing_between(0, 3, true), 5);
	assert_int_equal(missing_between(10, UINT64_MAX, true), 0);
}

static struct missing note_all(struct losses *l, const struct buffer *b)
{
	struct pcapng_reader r = {.at = b->at, .end = b->at + b->used};
	struct missing sum = {.dropped = 0}, one;
	struct pcapng_block block;

	while (pcapng_next(&r, &block)) {
		assert_int_equal(losses_note(l, &block, &one), 0);
		sum.dropped += one.dropped;
		sum.behind += one.behind;
	}
	return sum;
}

/* Each once, though packets, gaps and the closing statistics tell of the same. */
static void the_input_tells_what_is_missing(void **state)
{
	struct losses l = {.of = NULL};
	struct buffer b = {.at = NULL};
	struct missing m;

	(void)state;
	begin(&b);
	put_dropping(&b, 1, 3, 60);
	put_statistics(&b, 5, UINT64_MAX);
	put_dropping(&b, 2, 2, 60);
	put_statistics(&b, 9, UINT64_MAX);
	put_statistics(&b, 3 + 2 + 9 + 1, 4);
	put_statistics(&b, 3 + 2 + 9 + 1, 4);
	m = note_all(&l, &b);
	assert_int_equal(m.behind, 9);
	assert_int_equal(m.dropped, 3 + 2 + 1 + 4);
	begin(&b); /* another section counts from 0 */
	put_statistics(&b, 5, UINT64_MAX);
	put_statistics(&b, 2, UINT64_MAX); /* and so does a counter that has become less */
	m = note_all(&l, &b);
	assert_int_equal(m.behind, 7);
	assert_int_equal(m.dropped, 0);
	losses_free(&l);
	buffer_free(&b);
}

static void set_interface(struct buffer *b, uint32_t id)
{
	uint32_t length;

	memcpy(&length, b->at + b->used - sizeof(length), sizeof(length));
	memcpy(b->at + b->used - length + 8, &id, sizeof(id));
}

/* A capture of several interfaces has the drops of packets with these, and their sum with one. */
static void a_sum_is_of_all_interfaces(void **state)
{
	struct losses l = {.of = NULL};
	struct buffer b = {.at = NULL};
	struct missing m;

	(void)state;
	begin(&b);
	put_numbered(&b, 1, LINKTYPE_ETHERNET);
	put_dropping(&b, 1, 3, 60);
	set_interface(&b, 1);
	put_dropping(&b, 2, 4, 60);
	put_statistics(&b, 3 + 4 + 2, 0);
	put_statistics(&b, 0, 0);
	set_interface(&b, 1);
	m = note_all(&l, &b);
	assert_int_equal(m.dropped, 3 + 4 + 2);
	begin(&b); /* each has its own, and one ends first */
	put_numbered(&b, 1, LINKTYPE_ETHERNET);
	put_dropping(&b, 1, 3, 60);
	put_statistics(&b, 3 + 1, 0);
	put_dropping(&b, 2, 4, 60);
	set_interface(&b, 1);
	put_statistics(&b, 4 + 5, 0);
	set_interface(&b, 1);
	m = note_all(&l, &b);
	assert_int_equal(m.dropped, 3 + 1 + 4 + 5);
	losses_free(&l);
	buffer_free(&b);
}

/* Statistics count from the beginning of the capture: a run before has told of a part. */
static void what_a_run_before_has_told_is_told_once(void **state)
{
	struct losses l = {.before = 7};
	struct buffer b = {.at = NULL};
	struct missing m;

	(void)state;
	begin(&b);
	put_dropping(&b, 1, 3, 60);
	put_statistics(&b, 7 + 3 + 2, 1);
	m = note_all(&l, &b);
	assert_int_equal(m.dropped, 3 + 2 + 1);
	losses_free(&l);
	buffer_free(&b);
}

static void put_named(struct buffer *b, const char name[4])
{
	put_word(b, BLOCK_INTERFACE);
	put_word(b, 28);
	put_word(b, LINKTYPE_ETHERNET);
	put_word(b, 0);
	put_word(b, IF_NAME | 4 << 16);
	assert_int_equal(buffer_append(b, name, 4), 0);
	put_word(b, 28);
}

/* The last packet of the stream is of an interface that was not asked for. */
static void what_is_missing_is_of_an_interface_in_the_file(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct found f;
	struct get g;

	(void)state;
	for (unsigned wanted = 0; wanted < 2; wanted++) {
		open_get(&g, NULL);
		g.options.interfaces =
			(struct names){.name = {wanted ? "eth1" : "eth0"}, .count = 1};
		l.behind = 6;
		b.used = 0;
		put_header(&b);
		put_named(&b, "eth0");
		put_named(&b, "eth1");
		put_packet(&b, 0, 1);
		put_packet(&b, 1, 2);
		add(&g, &l, &b);
		close_get(&g, &f);
		assert_int_equal(f.packets, 1);
		assert_int_equal(f.statistics, 1);
		assert_int_equal(f.dropped, 6);
	}
	buffer_free(&b);
}

/* Of a partition that is read from its first section on; the sections in front are of another. */
static void a_beginning_is_of_a_partition(void **state)
{
	struct get g = {.options = {.until = UINT64_MAX}};
	struct label l = who;
	struct stream *s;

	(void)state;
	assert_int_equal(streams_open(&g.streams, NULL), 0);
	l.sequence = 7;
	assert_int_equal(streams_add(&g.streams, &l, NULL, 0, &s), 0);
	stream_begins(s, 7);
	l.sequence = 6;
	assert_int_equal(streams_add(&g.streams, &l, NULL, 0, &s), 0);
	assert_int_equal(sum_of(&g).sections, 0);
	streams_close(&g.streams);
}

/* Whoever may write to the topic chooses their order: the last ones first, and some twice. */
static void sections_of_any_order_take_little_time(void **state)
{
	struct streams all;
	struct label l = who;
	struct stream *s;
	clock_t begun = clock();

	(void)state;
	assert_int_equal(streams_open(&all, NULL), 0);
	all.orders_late = true;
	for (unsigned i = 0; i < 2 * MANY; i++) {
		l.sequence = MANY - i % MANY;
		assert_int_equal(streams_add(&all, &l, NULL, 0, &s), 0);
	}
	streams_order(&all);
	assert_int_equal(s->count, MANY);
	assert_int_equal(all.duplicates, MANY);
	for (size_t i = 1; i < s->count; i++)
		assert_true(stream_piece(s, i - 1)->sequence < stream_piece(s, i)->sequence);
	streams_close(&all);
	assert_true(clock() - begun < 10 * CLOCKS_PER_SEC);
}

/* The i-th of n that come: the first is the last; those of a partition that is behind come between
 * others; a hole between any two; and parts of one section that get longer. */
static void number(struct label *l, unsigned order, uint64_t i, uint64_t n)
{
	*l = who;
	l->packets = 1;
	switch (order) {
	case 0:
		l->sequence = l->before = 2 * (n - i);
		break;
	case 1:
		l->sequence = l->before = i < n / 2 ? 4 * i : 4 * (i - n / 2) + 2;
		break;
	case 2:
		l->packets = i + 1;
		break;
	default:
		l->sequence = 1;
		l->before = n - i;
	}
}

static clock_t time_of(unsigned order, uint64_t n)
{
	struct get g = {.options = {.until = UINT64_MAX}};
	struct stream *s;
	struct label l;
	clock_t begun = clock();

	assert_int_equal(streams_open(&g.streams, NULL), 0);
	for (uint64_t i = 0; i < n; i++) {
		number(&l, order, i, n);
		assert_int_equal(streams_add(&g.streams, &l, NULL, 0, &s), 0);
	}
	begun = clock() - begun;
	assert_int_equal(s->count, n);
	for (size_t i = 1; order < 2 && i < n; i++)
		assert_true(stream_piece(s, i - 1)->sequence < stream_piece(s, i)->sequence);
	streams_close(&g.streams);
	return begun;
}

/* As they come with --follow: a section takes no longer behind others, in whatever order. */
static void what_comes_too_late_takes_no_longer(void **state)
{
	(void)state;
	for (unsigned order = 0; order < 4; order++) {
		clock_t few = time_of(order, FEW), many = time_of(order, 16 * FEW);

		printf("order %u: %.2f and %.2f us each\n", order, 1e6 * few / CLOCKS_PER_SEC / FEW,
		       1e6 * many / CLOCKS_PER_SEC / (16 * FEW));
		assert_true(many < 16 * 4 * few + CLOCKS_PER_SEC / 20);
	}
}

/* Whoever may write to the index says of another message that it is a section which is not wanted.
 */
static void a_label_alone_takes_no_place_of_a_section(void **state)
{
	static const uint8_t section[] = "section";
	struct streams all;
	struct label l = who;
	struct stream *s;

	(void)state;
	assert_int_equal(streams_open(&all, NULL), 0);
	all.orders_late = true;
	for (l.sequence = 0; l.sequence < 3; l.sequence++)
		assert_int_equal(streams_add(&all, &l, NULL, 0, &s), 0);
	for (l.sequence = 2; l.sequence; l.sequence--)
		assert_int_equal(streams_add(&all, &l, section, sizeof(section), &s), 0);
	streams_order(&all);
	assert_int_equal(s->count, 3);
	assert_int_equal(all.duplicates, 2);
	for (size_t i = 0; i < s->count; i++)
		assert_int_equal(stream_piece(s, i)->length, i ? sizeof(section) : 0);
	streams_close(&all);
}

/* What was lost in front of the first section of all came after the time that was asked for. */
static void what_was_lost_at_the_beginning_has_its_time(void **state)
{
	struct get g = {.options = {.until = 10}};
	struct label l = who;
	struct stream *s;

	(void)state;
	assert_int_equal(streams_open(&g.streams, NULL), 0);
	l.lost = l.before = 4;
	l.first = l.last = 10;
	assert_int_equal(streams_add(&g.streams, &l, NULL, 0, &s), 0);
	assert_int_equal(sum_of(&g).lost, 0);
	g.options.until = 11;
	assert_int_equal(sum_of(&g).lost, 4);
	streams_close(&g.streams);
}

/* Whoever may write to the topic chooses them. */
static void sums_do_not_begin_again(void **state)
{
	struct label l = who;
	struct buffer b = {.at = NULL};
	struct found f;
	struct get g;

	(void)state;
	open_get(&g, NULL);
	l.dropped = UINT64_MAX;
	begin(&b);
	put_dropping(&b, 1, UINT64_MAX, 60);
	put_dropping(&b, 2, 2, 60);
	add(&g, &l, &b);
	close_get(&g, &f);
	assert_int_equal(f.dropcount[0], UINT64_MAX);
	assert_int_equal(f.dropped, UINT64_MAX);
	buffer_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_missing_is_told),
		cmocka_unit_test(what_nobody_knows_is_told_so),
		cmocka_unit_test(a_filter_takes_no_loss_away),
		cmocka_unit_test(a_gap_counts_in_its_time),
		cmocka_unit_test(the_input_tells_what_is_missing),
		cmocka_unit_test(a_sum_is_of_all_interfaces),
		cmocka_unit_test(what_a_run_before_has_told_is_told_once),
		cmocka_unit_test(what_is_missing_is_of_an_interface_in_the_file),
		cmocka_unit_test(a_beginning_is_of_a_partition),
		cmocka_unit_test(sections_of_any_order_take_little_time),
		cmocka_unit_test(what_comes_too_late_takes_no_longer),
		cmocka_unit_test(a_label_alone_takes_no_place_of_a_section),
		cmocka_unit_test(what_was_lost_at_the_beginning_has_its_time),
		cmocka_unit_test(sums_do_not_begin_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
