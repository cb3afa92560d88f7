/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A section that is cut again: its parts have all of it, once, whoever gets them, and the whole. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "get_streams.h"
#include "kafka/get/gap.h"
#include "kafka/put/recut.h"
#include "tests/ranges.h"

#define PACKETS	  100
#define LARGE	  40000 /* bytes of a packet that fits into no part */
#define PART_SIZE 16384
#define PARTS_MAX 10

struct parts {
	struct buffer section[PARTS_MAX];
	struct label label[PARTS_MAX];
	size_t count;
	size_t room; /* no more are taken */
};

static int take_part(void *context, struct buffer *section, const struct label *label)
{
	struct parts *p = context;

	if (p->count == (p->room ? p->room : PARTS_MAX))
		return -ENOMEM;
	p->section[p->count] = *section;
	p->label[p->count++] = *label;
	return 0;
}

static void free_parts(struct parts *p)
{
	for (size_t i = 0; i < p->count; i++)
		buffer_free(&p->section[i]);
	p->count = 0;
}

static void give_large(struct section *s, uint64_t time)
{
	static uint8_t frame[LARGE];
	const struct pcapng_frame f = {0, time, sizeof(frame), sizeof(frame), frame};
	struct bytes b = {.at = memory, .room = sizeof(memory)};

	pcapng_put_frame(&b, &f);
	assert_int_equal(give(s, &b), 0);
}

/* The second section of a stream, of three interfaces: 7 packets of it were lost, 5 by the host. */
static void make_whole(struct section *s, struct buffer *whole, struct label *l)
{
	const uint16_t links[] = {LINKTYPE_ETHERNET, LINKTYPE_ETHERNET, LINKTYPE_ETHERNET};

	begin(s, links, 3);
	give_packet(s, 0, 1000);
	assert_int_equal(section_cut(s, 0, 0, whole, l), 0);
	buffer_free(whole);
	s->label.before += 7;
	s->label.dropped = 5;
	for (unsigned i = 0; i < PACKETS; i++)
		give_packet(s, i % 3, 2000 + i);
	assert_int_equal(section_cut(s, 7, 0, whole, l), 0);
}

/* Others than those before. */
static void give_secrets(struct section *s, size_t size, unsigned number)
{
	static char secrets[2 * PART_SIZE];
	struct bytes b = {.at = memory, .room = sizeof(memory)};

	memset(secrets, 'a' + (int)number, sizeof(secrets));
	pcapng_put_secrets(&b, SECRETS_TLS_KEY_LOG, secrets, size);
	assert_int_equal(give(s, &b), 0);
}

#define SECRETS 6

/* The same, of one interface, and secrets in front, which fill parts of their own. */
static void make_whole_of_secrets(struct section *s, struct buffer *whole, struct label *l,
				  uint64_t lost, size_t step)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;

	begin(s, &ethernet, 1);
	give_packet(s, 0, 1000);
	assert_int_equal(section_cut(s, 0, 0, whole, l), 0);
	buffer_free(whole);
	s->label.before += lost;
	s->label.dropped = 5;
	for (unsigned i = 0; i < SECRETS; i++)
		give_secrets(s, 2 * PART_SIZE - 2000 - step * i, i);
	for (unsigned i = 0; i < PACKETS; i++)
		give_packet(s, 0, 2000 + i);
	assert_int_equal(section_cut(s, lost, 0, whole, l), 0);
}

static void parts_have_all_of_it(void **state)
{
	struct parts parts = {.count = 0}, again = {.count = 0};
	struct unfit unfit;
	uint64_t packets = 0, bytes = 0;
	struct label l, found;
	struct buffer whole;
	struct section s;

	(void)state;
	make_whole(&s, &whole, &l);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), 0);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &again, &unfit), 0);
	assert_true(parts.count > 4 && parts.count == again.count);
	assert_int_equal(unfit.packets, 0);
	for (size_t i = 0; i < parts.count; i++) {
		const struct label *p = &parts.label[i];

		assert_true(parts.section[i].used <= PART_SIZE);
		assert_int_equal(parts.section[i].used, again.section[i].used);
		assert_memory_equal(parts.section[i].at, again.section[i].at,
				    again.section[i].used);
		assert_true(label_find(&found, parts.section[i].at, parts.section[i].used));
		assert_int_equal(found.before, p->before);
		assert_string_equal(p->interface, l.interface);
		assert_int_equal(p->sequence, 1);
		assert_int_equal(p->before, l.before + packets);
		assert_int_equal(p->lost, i ? 0 : 7);
		assert_int_equal(p->dropped, i ? 0 : 5);
		packets += p->packets;
		bytes += p->bytes;
	}
	assert_int_equal(packets, PACKETS);
	assert_int_equal(bytes, l.bytes);
	free_parts(&parts);
	free_parts(&again);
	buffer_free(&whole);
	section_free(&s);
}

static void add_one(struct get *g, const struct label *l, const struct buffer *section, int wanted)
{
	struct stream *unused;

	assert_int_equal(streams_add(&g->streams, l, section->at, section->used, &unused), wanted);
}

static void got(struct get *g, uint64_t packets, uint64_t removed)
{
	struct gap sum = {.lost = 0};

	assert_int_equal(merge_run(&g->merge, UINT64_MAX), 0);
	assert_int_equal(g->output.packets, packets);
	gap_of_stream(&sum, g->streams.stream[0], &g->options);
	assert_int_equal(sum.removed, removed);
	assert_int_equal(sum.sections, 0);
	assert_int_equal(gap_is_none(&sum), !removed && !sum.lost && !sum.dropped);
}

/* In any order, twice, with the whole in front of them: each packet once. What lacks is found. */
static void each_is_got_once(void **state)
{
	struct parts parts = {.count = 0};
	struct buffer whole;
	struct unfit unfit;
	struct section s;
	struct label l;
	struct get g;

	(void)state;
	make_whole(&s, &whole, &l);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), 0);
	open_get(&g, NULL);
	for (size_t i = parts.count; i--;)
		add_one(&g, &parts.label[i], &parts.section[i], 0);
	for (size_t i = 0; i < parts.count; i++)
		add_one(&g, &parts.label[i], &parts.section[i], 1);
	got(&g, PACKETS, 0);
	close_get(&g);
	open_get(&g, NULL);
	add_one(&g, &l, &whole, 0);
	for (size_t i = 0; i < parts.count; i++)
		add_one(&g, &parts.label[i], &parts.section[i], 1);
	got(&g, PACKETS, 0);
	close_get(&g);
	open_get(&g, NULL);
	for (size_t i = 0; i < parts.count; i++)
		if (i != 2)
			add_one(&g, &parts.label[i], &parts.section[i], 0);
	got(&g, PACKETS - parts.label[2].packets, parts.label[2].packets);
	close_get(&g);
	free_parts(&parts);
	buffer_free(&whole);
	section_free(&s);
}

/* When they are given their order, and go out: as they come, or at the end. */
enum when { AS_THEY_COME, ALL_AT_ONCE, ORDERED_LATE };

static void add_some(struct get *g, const struct parts *parts, size_t n, enum when when)
{
	struct stream *unused;

	for (size_t i = 0; i < n; i++) {
		assert_true(streams_add(&g->streams, &parts->label[i], parts->section[i].at,
					parts->section[i].used, &unused) >= 0);
		if (when == AS_THEY_COME)
			assert_int_equal(merge_run(&g->merge, UINT64_MAX), 0);
	}
}

static uint64_t count_packets(const struct stream *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->count; i++)
		sum += stream_piece(s, i)->packets;
	return sum;
}

static void check_cuts(const struct parts *first, size_t n, const struct parts *then,
		       enum when when, uint64_t lost, size_t names)
{
	struct gap sum = {.lost = 0};
	struct get g;

	open_get(&g, NULL);
	if (when == ORDERED_LATE) {
		streams_close(&g.streams);
		assert_int_equal(streams_open(&g.streams, "/tmp"), 0);
	}
	add_some(&g, first, n, when);
	add_some(&g, then, then->count, when);
	assert_int_equal(streams_map(&g.streams), 0);
	assert_int_equal(count_packets(g.streams.stream[0]), PACKETS);
	gap_of_stream(&sum, g.streams.stream[0], &g.options);
	assert_int_equal(sum.lost, lost);
	assert_int_equal(sum.dropped, 5);
	got(&g, PACKETS, 0);
	assert_int_equal(g.output.names.count, names);
	close_get(&g);
}

/* Who is killed when some are acknowledged, and goes on at another limit: it may be larger. */
static void two_cuts_are_got_once(void **state)
{
	const size_t limits[] = {PART_SIZE, PART_SIZE + 4000, 2 * PART_SIZE, SECTION_SIZE};
	static struct parts parts[4];
	struct buffer whole;
	struct unfit unfit;
	struct section s;
	struct label l;

	(void)state;
	make_whole(&s, &whole, &l);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(recut(&whole, limits[i], take_part, &parts[i], &unfit), 0);
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 4; j++)
			for (size_t n = 0; n <= parts[i].count; n++) {
				check_cuts(&parts[i], n, &parts[j], AS_THEY_COME, 7, 0);
				check_cuts(&parts[i], n, &parts[j], ALL_AT_ONCE, 7, 0);
				check_cuts(&parts[i], n, &parts[j], ORDERED_LATE, 7, 0);
			}
	for (size_t i = 0; i < 4; i++)
		free_parts(&parts[i]);
	buffer_free(&whole);
	section_free(&s);
}

/* Of a stream, whatever parts of two cuts come first, and whichever of them twice. */
static void check_orders(struct parts *cuts, size_t count, uint64_t lost)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++)
			for (size_t n = 0; n <= cuts[i].count; n++)
				for (enum when when = AS_THEY_COME; when <= ORDERED_LATE; when++)
					check_cuts(&cuts[i], n, &cuts[j], when, lost, SECRETS);
}

/* Parts without packets, of one place, equally long or not, in which the first may say that the
 * host has dropped some: all of them, and what is missing once. */
static void parts_of_secrets_are_got(void **state)
{
	const size_t limits[] = {2 * PART_SIZE, 4 * PART_SIZE + 1000, SECTION_SIZE};
	struct buffer whole;
	struct unfit unfit;
	struct section s;
	struct label l;

	(void)state;
	for (unsigned turn = 0; turn < 4; turn++) {
		static struct parts cuts[3];
		size_t empty = 0;

		make_whole_of_secrets(&s, &whole, &l, turn & 1 ? 7 : 0, turn & 2 ? 1000 : 0);
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(recut(&whole, limits[i], take_part, &cuts[i], &unfit), 0);
		for (size_t i = 0; i < cuts[0].count; i++)
			empty += !cuts[0].label[i].packets;
		assert_true(empty >= 4 && cuts[1].count >= 3);
		check_orders(cuts, 3, l.lost);
		for (size_t i = 0; i < 3; i++)
			free_parts(&cuts[i]);
		buffer_free(&whole);
		section_free(&s);
	}
}

/* ... also where they are ordered at the end, and where the last of them is missing. */
static void they_are_ordered_late_as_well(void **state)
{
	struct parts parts = {.count = 0};
	struct buffer whole, next;
	struct label l, after;
	struct gap sum = {.lost = 0};
	struct unfit unfit;
	struct section s;
	struct get g;

	(void)state;
	make_whole(&s, &whole, &l);
	give_packet(&s, 0, 3000);
	assert_int_equal(section_cut(&s, 0, 0, &next, &after), 0);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), 0);
	open_get(&g, NULL);
	streams_close(&g.streams);
	assert_int_equal(streams_open(&g.streams, "/tmp"), 0);
	add_one(&g, &after, &next, 0);
	for (unsigned turn = 0; turn < 2; turn++)
		for (size_t i = parts.count - 1; i--;)
			add_one(&g, &parts.label[i], &parts.section[i], 0);
	streams_order(&g.streams);
	assert_int_equal(g.streams.stream[0]->count, parts.count);
	gap_of_stream(&sum, g.streams.stream[0], &g.options);
	assert_int_equal(sum.removed, parts.label[parts.count - 1].packets);
	add_one(&g, &parts.label[parts.count - 1], &parts.section[parts.count - 1], 0);
	add_one(&g, &l, &whole, 0);
	streams_order(&g.streams);
	assert_int_equal(g.streams.stream[0]->count, 2);
	sum = (struct gap){.lost = 0};
	gap_of_stream(&sum, g.streams.stream[0], &g.options);
	assert_int_equal(sum.removed + sum.sections, 0);
	assert_int_equal(sum.lost, 7);
	close_get(&g);
	free_parts(&parts);
	buffer_free(&whole);
	buffer_free(&next);
	section_free(&s);
}

/* First, in the middle, and last: the part behind says so, which is empty at the end. */
static void what_fits_into_none_is_told(void **state)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;
	struct parts parts = {.count = 0};
	struct unfit unfit;
	uint64_t packets = 0, lost = 0;
	struct buffer whole;
	struct section s;
	struct label l;

	(void)state;
	begin(&s, &ethernet, 1);
	give_large(&s, 1000);
	give_packet(&s, 0, 1001);
	give_large(&s, 1002);
	give_large(&s, 1003);
	give_packet(&s, 0, 1004);
	give_large(&s, 1005);
	assert_int_equal(section_cut(&s, 0, 0, &whole, &l), 0);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), 0);
	assert_int_equal(unfit.packets, 4);
	for (size_t i = 0; i < parts.count; i++) {
		lost += parts.label[i].lost;
		assert_int_equal(parts.label[i].before, packets + lost);
		packets += parts.label[i].packets;
	}
	assert_int_equal(packets, 2);
	assert_int_equal(lost, 4);
	assert_int_equal(parts.label[parts.count - 1].packets, 0);
	free_parts(&parts);
	buffer_free(&whole);
	section_free(&s);
}

static void put_wordy_process(struct bytes *b, const char *text)
{
	const uint32_t length = 24 + PART_SIZE,
		       head[] = {BLOCK_PROCESS, length, 7, 2 | (uint32_t)PART_SIZE << 16};

	memcpy(b->at, head, sizeof(head));
	memcpy(b->at + sizeof(head), text, PART_SIZE);
	memset(b->at + sizeof(head) + PART_SIZE, 0, 4);
	memcpy(b->at + length - 4, &length, sizeof(length));
	b->used = length;
}

/* An interface and a process with more options than a part has room for, and packets of both; also
 * names that fit into none. */
static void make_wordy(struct section *s)
{
	static char text[LARGE];
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_section header = {.os = "o"};
	const struct pcapng_interface one = {.name = "v0", .link_type = 1, .description = text};
	uint8_t frame[64] = {0};

	memset(text, 'w', sizeof(text) - 1);
	section_init(s, &who, SECTION_SIZE);
	pcapng_put_section(&b, &header);
	pcapng_put_interface(&b, &one);
	assert_int_equal(give(s, &b), 0);
	b.used = 0;
	put_wordy_process(&b, text);
	assert_int_equal(give(s, &b), 0);
	for (unsigned i = 0; i < PACKETS; i++) {
		const uint32_t options[] = {EPB_PROCESS | 4u << 16, 0, OPT_END};
		const struct pcapng_frame f = {0, 2000 + i, sizeof(frame), sizeof(frame), frame};
		uint32_t length = 0;

		b.used = 0;
		pcapng_put_frame(&b, &f);
		length = (uint32_t)(b.used + sizeof(options));
		memcpy(memory + b.used - 4, options, sizeof(options));
		memcpy(memory + length - 4, &length, sizeof(length));
		memcpy(memory + 4, &length, sizeof(length));
		b.used = length;
		assert_int_equal(give(s, &b), 0);
	}
}

/* Its packets name the process, whose number is still there, and have their time. */
static void look_at_wordy(const struct buffer *section)
{
	struct pcapng_reader r = {.at = section->at, .end = section->at + section->used};
	struct pcapng_clock clock = {.offset = 0};
	struct pcapng_options options;
	struct pcapng_option o;
	struct pcapng_packet p;
	struct pcapng_block b;
	uint32_t processes = 0;

	while (pcapng_next(&r, &b)) {
		if (b.type == BLOCK_INTERFACE) {
			assert_true(b.length <= PART_SIZE / 8);
			pcapng_clock_read(&clock, &b);
		}
		if (b.type == BLOCK_PROCESS) {
			assert_true(b.length <= PART_SIZE / 16);
			assert_int_equal(pcapng_u32(b.body, false), 7);
			processes++;
		}
		if (!pcapng_is_packet(b.type))
			continue;
		assert_true(pcapng_packet_read(&p, &b));
		assert_in_range(pcapng_clock_ns(&clock, p.stamp), 2000, 2000 + PACKETS);
		options = pcapng_options(&b, p.options_from);
		assert_true(processes_next(&options, &o));
		assert_true(pcapng_u32(o.value, false) < processes);
	}
	assert_null(r.fault);
	assert_ptr_equal(r.at, r.end);
}

/* What is no packet does not keep packets from being sent. */
static void blocks_are_shortened(void **state)
{
	struct parts parts = {.count = 0};
	struct buffer whole, message;
	struct unfit unfit;
	struct section s;
	struct label l;
	struct get g;

	(void)state;
	make_wordy(&s);
	give_secrets(&s, 2 * PART_SIZE - 1, 0);
	assert_false(s.is_shortened);
	assert_int_equal(section_cut(&s, 0, 0, &whole, &l), 0);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), 0);
	assert_int_equal(unfit.packets, 0);
	assert_int_equal(unfit.others, 2); /* secrets; options */
	open_get(&g, NULL);
	for (size_t i = 0; i < parts.count; i++) {
		assert_true(parts.section[i].used <= PART_SIZE);
		look_at_wordy(&parts.section[i]);
		add_one(&g, &parts.label[i], &parts.section[i], 0);
	}
	got(&g, PACKETS, 0);
	close_get(&g);
	free_parts(&parts);
	buffer_free(&whole);
	section_free(&s);
	make_wordy(&s);
	assert_int_equal(section_cut(&s, 0, 0, &message, &l), 0);
	buffer_free(&message);
	assert_int_equal(section_resize(&s, PART_SIZE), 0);
	assert_true(s.is_shortened);
	give_packet(&s, 0, 2000);
	assert_int_equal(section_cut(&s, 0, 0, &message, &l), 0);
	assert_int_equal(l.packets, 1);
	assert_true(message.used <= PART_SIZE);
	buffer_free(&message);
	section_free(&s);
}

/* Broken in its middle; of a release that did not say its place; with a label of other packets: one
 * part says that all of them are missing, and those that are behind it are not in doubt. */
static void what_cannot_be_cut_is_told(void **state)
{
	struct parts parts = {.count = 0};
	struct buffer whole, next;
	struct label l, after;
	struct unfit unfit;
	struct section s;
	struct gap sum = {.lost = 0};
	struct get g;
	char *text, *before;
	uint16_t length;

	(void)state;
	make_whole(&s, &whole, &l);
	give_packet(&s, 0, 3000);
	assert_int_equal(section_cut(&s, 0, 0, &next, &after), 0);
	memset(whole.at + whole.used / 2, 0xff, 2048);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), -EBADMSG);
	free_parts(&parts);
	assert_int_equal(recut_none(&whole, PART_SIZE, take_part, &parts, &unfit), 0);
	assert_int_equal(unfit.packets, PACKETS);
	assert_int_equal(parts.count, 1);
	assert_true(parts.section[0].used < 1024);
	assert_int_equal(parts.label[0].packets, 0);
	assert_int_equal(parts.label[0].lost, 7 + PACKETS);
	assert_int_equal(parts.label[0].sequence, l.sequence);
	assert_int_equal(parts.label[0].first, l.last);
	open_get(&g, NULL);
	add_one(&g, &parts.label[0], &parts.section[0], 0);
	add_one(&g, &after, &next, 0);
	assert_int_equal(merge_run(&g.merge, UINT64_MAX), 0);
	gap_of_stream(&sum, g.streams.stream[0], &g.options);
	assert_int_equal(sum.lost, 7 + PACKETS);
	assert_int_equal(sum.dropped, 5);
	assert_int_equal(sum.removed + sum.sections, 0);
	close_get(&g);
	free_parts(&parts);
	text = memmem(whole.at, whole.used, "pcapng-kafka", 12);
	before = memmem(whole.at, whole.used, "before=", 7);
	assert_true(text && before);
	length = (uint16_t)(before - text);
	memcpy(text - sizeof(length), &length, sizeof(length));
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), -ENOTSUP);
	assert_int_equal(parts.count, 0);
	assert_int_equal(recut_none(&whole, PART_SIZE, take_part, &parts, &unfit), 0);
	assert_int_equal(parts.label[0].lost, 7 + PACKETS);
	free_parts(&parts);
	buffer_free(&whole);
	buffer_free(&next);
	section_free(&s);
	make_whole(&s, &whole, &l);
	text = memmem(whole.at, whole.used, "00100\nbytes=", 12);
	assert_non_null(text);
	text[4] = '1';
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), -EBADMSG);
	free_parts(&parts);
	buffer_free(&whole);
	section_free(&s);
}

/* It stays whole: nothing of it is given away that would not be freed. */
static void what_cannot_be_cut_stays(void **state)
{
	struct parts parts = {.room = 3};
	uint8_t junk[64] = {0};
	const struct buffer broken = {.at = junk, .used = sizeof(junk)};
	struct buffer whole;
	struct section s;
	struct unfit unfit;
	struct label l;

	(void)state;
	make_whole(&s, &whole, &l);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), -ENOMEM);
	assert_int_equal(parts.count, 3);
	free_parts(&parts);
	assert_int_equal(recut(&broken, PART_SIZE, take_part, &parts, &unfit), -EBADMSG);
	assert_int_equal(recut(&whole, 80, take_part, &parts, &unfit), -EBADMSG);
	free_parts(&parts);
	buffer_free(&whole);
	section_free(&s);
}

/* Of the section that is being made: names and interfaces that were kept fit into what comes. */
static void sections_become_smaller(void **state)
{
	const uint16_t links[] = {LINKTYPE_ETHERNET, LINKTYPE_ETHERNET};
	static char secrets[100000];
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	struct buffer message;
	struct section s;
	struct label l;

	(void)state;
	begin(&s, links, 2);
	for (unsigned i = 0; i < 10; i++) {
		b.used = 0;
		memset(secrets, 'a' + (int)i, sizeof(secrets));
		pcapng_put_secrets(&b, SECRETS_TLS_KEY_LOG, secrets, 10000);
		assert_int_equal(give(&s, &b), 0);
	}
	give_packet(&s, 0, 1000);
	assert_int_equal(section_cut(&s, 0, 0, &message, &l), 0);
	assert_true(message.used > 100000);
	buffer_free(&message);
	assert_int_equal(section_resize(&s, PART_SIZE), 0);
	for (unsigned i = 0; i < 8; i++)
		give_packet(&s, i % 2, 1001 + i);
	assert_int_equal(section_cut(&s, 0, 0, &message, &l), 0);
	assert_true(message.used <= PART_SIZE);
	assert_int_equal(l.packets, 8);
	buffer_free(&message);
	section_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_have_all_of_it),
		cmocka_unit_test(each_is_got_once),
		cmocka_unit_test(two_cuts_are_got_once),
		cmocka_unit_test(parts_of_secrets_are_got),
		cmocka_unit_test(they_are_ordered_late_as_well),
		cmocka_unit_test(what_fits_into_none_is_told),
		cmocka_unit_test(blocks_are_shortened),
		cmocka_unit_test(what_cannot_be_cut_is_told),
		cmocka_unit_test(what_cannot_be_cut_stays),
		cmocka_unit_test(sections_become_smaller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
