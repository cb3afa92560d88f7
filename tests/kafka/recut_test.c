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

static void give_secrets(struct section *s, size_t size)
{
	static char secrets[2 * PART_SIZE];
	struct bytes b = {.at = memory, .room = sizeof(memory)};

	memset(secrets, 'a', sizeof(secrets));
	pcapng_put_secrets(&b, SECRETS_TLS_KEY_LOG, secrets, size);
	assert_int_equal(give(s, &b), 0);
}

/* The same, and secrets in front, which fill parts of their own. */
static void make_whole_of_secrets(struct section *s, struct buffer *whole, struct label *l)
{
	const uint16_t ethernet = LINKTYPE_ETHERNET;

	begin(s, &ethernet, 1);
	give_packet(s, 0, 1000);
	assert_int_equal(section_cut(s, 0, 0, whole, l), 0);
	buffer_free(whole);
	s->label.before += 7;
	s->label.dropped = 5;
	for (size_t i = 0; i < 4; i++)
		give_secrets(s, 2 * PART_SIZE - 1000 * (i + 1));
	for (unsigned i = 0; i < PACKETS; i++)
		give_packet(s, 0, 2000 + i);
	assert_int_equal(section_cut(s, 7, 0, whole, l), 0);
}

static void parts_have_all_of_it(void **state)
{
	struct parts parts = {.count = 0}, again = {.count = 0};
	uint64_t unfit, packets = 0, bytes = 0;
	struct label l, found;
	struct buffer whole;
	struct section s;

	(void)state;
	make_whole(&s, &whole, &l);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &parts, &unfit), 0);
	assert_int_equal(recut(&whole, PART_SIZE, take_part, &again, &unfit), 0);
	assert_true(parts.count > 4 && parts.count == again.count);
	assert_int_equal(unfit, 0);
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
	uint64_t unfit;
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

/* So many parts of a first cut, then all of another. */
static void add_cuts(struct get *g, const struct parts *first, size_t n, const struct parts *then)
{
	struct stream *unused;

	for (size_t i = 0; i < n; i++)
		assert_true(streams_add(&g->streams, &first->label[i], first->section[i].at,
					first->section[i].used, &unused) >= 0);
	for (size_t i = 0; i < then->count; i++)
		assert_true(streams_add(&g->streams, &then->label[i], then->section[i].at,
					then->section[i].used, &unused) >= 0);
}

static uint64_t count_packets(const struct stream *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->count; i++)
		sum += s->piece[i].packets;
	return sum;
}

static void check_cuts(const struct parts *first, size_t n, const struct parts *then, bool late)
{
	struct gap sum = {.lost = 0};
	struct get g;

	open_get(&g, NULL);
	if (late) {
		streams_close(&g.streams);
		assert_int_equal(streams_open(&g.streams, "/tmp"), 0);
	}
	add_cuts(&g, first, n, then);
	assert_int_equal(streams_map(&g.streams), 0);
	assert_int_equal(count_packets(g.streams.stream[0]), PACKETS);
	gap_of_stream(&sum, g.streams.stream[0], &g.options);
	assert_int_equal(sum.lost, 7);
	assert_int_equal(sum.dropped, 5);
	got(&g, PACKETS, 0);
	close_get(&g);
}

/* Who is killed when some are acknowledged, and goes on at another limit: it may be larger. */
static void two_cuts_are_got_once(void **state)
{
	const size_t limits[] = {PART_SIZE, PART_SIZE + 4000, 2 * PART_SIZE, SECTION_SIZE};
	static struct parts parts[4];
	struct buffer whole;
	uint64_t unfit;
	struct section s;
	struct label l;

	(void)state;
	make_whole(&s, &whole, &l);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(recut(&whole, limits[i], take_part, &parts[i], &unfit), 0);
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 4; j++)
			for (size_t n = 0; n <= parts[i].count; n++) {
				check_cuts(&parts[i], n, &parts[j], false);
				check_cuts(&parts[i], n, &parts[j], true);
			}
	for (size_t i = 0; i < 4; i++)
		free_parts(&parts[i]);
	buffer_free(&whole);
	section_free(&s);
}

/* Parts without packets, of one place: all of them, and nothing is missing. */
static void parts_of_secrets_are_got(void **state)
{
	struct parts parts = {.count = 0}, one = {.count = 1};
	struct buffer whole;
	uint64_t unfit;
	size_t empty = 0;
	struct section s;
	struct label l;

	(void)state;
	make_whole_of_secrets(&s, &whole, &l);
	assert_int_equal(recut(&whole, 2 * PART_SIZE, take_part, &parts, &unfit), 0);
	assert_int_equal(unfit, 0);
	for (size_t i = 0; i < parts.count; i++)
		empty += !parts.label[i].packets;
	assert_true(empty >= 2);
	one.section[0] = whole;
	one.label[0] = l;
	for (size_t n = 0; n <= parts.count; n++)
		for (unsigned late = 0; late < 2; late++) {
			check_cuts(&parts, n, &parts, late);
			check_cuts(&one, 1, &parts, late);
			check_cuts(&parts, n, &one, late);
		}
	free_parts(&parts);
	buffer_free(&whole);
	section_free(&s);
}

/* ... also where they are ordered at the end, and where the last of them is missing. */
static void they_are_ordered_late_as_well(void **state)
{
	struct parts parts = {.count = 0};
	struct buffer whole, next;
	struct label l, after;
	struct gap sum = {.lost = 0};
	uint64_t unfit;
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
	uint64_t unfit, packets = 0, lost = 0;
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
	assert_int_equal(unfit, 4);
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

/* It stays whole: nothing of it is given away that would not be freed. */
static void what_cannot_be_cut_stays(void **state)
{
	struct parts parts = {.room = 3};
	uint8_t junk[64] = {0};
	const struct buffer broken = {.at = junk, .used = sizeof(junk)};
	struct buffer whole;
	struct section s;
	uint64_t unfit;
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
		cmocka_unit_test(what_cannot_be_cut_stays),
		cmocka_unit_test(sections_become_smaller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
