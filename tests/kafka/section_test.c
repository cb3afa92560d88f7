/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Sections as pcapng-kafka cuts them: what each repeats, its size and span, its label, either byte
 * order. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <byteswap.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kafka/put/input.h"
#include "kafka/section.h"
#include "pcapng/savefile.h"
#include "pcapng/write.h"
#include "tests/ranges.h"

static const struct label who = {.host = "h", .session = "s", .writer = "w", .stream = 3};
static uint8_t memory[65536];

static struct pcapng_block block_of(struct bytes *b)
{
	struct pcapng_reader r = {.at = b->at, .end = b->at + b->used};
	struct pcapng_block block;

	assert_true(pcapng_next(&r, &block));
	return block;
}

static int give_interface(struct section *s, const char *name)
{
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_interface i = {.name = name, .link_type = 1};
	struct pcapng_block block;

	pcapng_put_interface(&b, &i);
	block = block_of(&b);
	return section_take(s, &block);
}

static void begin(struct section *s, size_t most)
{
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_section header = {.comment = "c", .os = "o"};
	struct pcapng_block block;

	section_init(s, &who, most);
	pcapng_put_section(&b, &header);
	block = block_of(&b);
	assert_int_equal(section_take(s, &block), 0);
	assert_int_equal(give_interface(s, "v0"), 0);
}

static int give_packet(struct section *s, uint32_t interface, uint64_t time, uint32_t length)
{
	static const uint8_t frame[32768];
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_frame f = {interface, time, length, length, frame};
	struct pcapng_block block;

	pcapng_put_frame(&b, &f);
	block = block_of(&b);
	return section_take(s, &block);
}

/* The section's blocks, by their types; its label agrees with what it holds. */
static size_t cut(struct section *s, uint32_t *types, size_t room, struct label *label)
{
	struct pcapng_reader r;
	struct pcapng_block b;
	struct buffer message;
	struct label found;
	uint64_t packets = 0;
	size_t n = 0;

	memset(&found, 0, sizeof(found));
	assert_int_equal(section_cut(s, 5, 77, &message, label), 0);
	assert_true(message.used <= s->most);
	assert_true(label_find(&found, message.at, message.used));
	assert_memory_equal(&found, label, sizeof(found));
	r = (struct pcapng_reader){.at = message.at, .end = message.at + message.used};
	while (pcapng_next(&r, &b)) {
		packets += pcapng_is_packet(b.type);
		if (n < room)
			types[n++] = b.type;
	}
	assert_null(r.fault);
	assert_ptr_equal(r.at, r.end);
	assert_int_equal(packets, label->packets);
	buffer_free(&message);
	return n;
}

static void each_repeats_what_it_needs(void **state)
{
	static const uint32_t wanted[] = {BLOCK_SECTION, BLOCK_INTERFACE, BLOCK_ENHANCED_PACKET,
					  BLOCK_STATISTICS};
	struct section s;
	struct label label;
	uint32_t types[8];

	(void)state;
	begin(&s, SECTION_SIZE);
	for (unsigned i = 0; i < 3; i++) {
		memset(&label, 0, sizeof(label));
		assert_true(section_is_empty(&s));
		assert_int_equal(give_packet(&s, 0, 1000 + i, 60), 0);
		assert_int_equal(cut(&s, types, 8, &label), 4);
		assert_memory_equal(types, wanted, sizeof(wanted));
		assert_int_equal(label.sequence, i);
		assert_int_equal(label.first, 1000 + i);
		assert_int_equal(label.bytes, 60);
		assert_int_equal(label.lost, 5);
		assert_string_equal(label.interface, "v0");
	}
	section_free(&s);
}

static void size_and_span_are_kept(void **state)
{
	struct section s;
	struct label label;
	uint32_t types[64];

	(void)state;
	begin(&s, 16384);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(give_packet(&s, 0, i, 1500), 0);
	assert_int_equal(give_packet(&s, 0, 10, 1500), 1);
	cut(&s, types, 64, &label);
	assert_int_equal(give_packet(&s, 0, 10, 16384), -EMSGSIZE);
	assert_int_equal(give_packet(&s, 0, 10, 60), 0);
	assert_int_equal(give_packet(&s, 0, 10 + SECTION_SPAN_NS, 60), 0);
	assert_int_equal(give_packet(&s, 0, 11 + SECTION_SPAN_NS, 60), 1);
	cut(&s, types, 64, &label);
	assert_int_equal(label.first, 10);
	assert_int_equal(label.last, 10 + SECTION_SPAN_NS);
	section_free(&s);
}

/* Packets of two clocks in turn: sections are filled, and each label has the whole span of its own.
 */
static void clocks_apart_share_sections(void **state)
{
	const uint64_t far = 37ull * SECTION_SPAN_NS, step = 1000;
	struct section s;
	struct label label;
	uint32_t types[64];
	unsigned cuts = 0;

	(void)state;
	begin(&s, 16384);
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t time = 5 + i * step + (i % 2 ? far : 0);
		int e = give_packet(&s, 0, time, 200);

		assert_in_range(e, 0, 1);
		if (!e)
			continue;
		memset(&label, 0, sizeof(label));
		cut(&s, types, 64, &label);
		assert_true(label.last - label.first < far + 1000 * step);
		assert_true(!cuts || label.packets == 1 || label.packets > 8);
		assert_int_equal(section_moment(&label, far),
				 label.packets > 1 ? label.last : label.first);
		assert_int_equal(give_packet(&s, 0, time, 200), 0);
		cuts++;
	}
	assert_in_range(cuts, 1000 * 236 / 16384, 200);
	section_free(&s);
}

/* One step back, of files behind each other, is cut where there is enough to send. */
static void a_step_back_is_cut(void **state)
{
	const uint64_t late = 3600ull * SECTION_SPAN_NS;
	struct section s;
	struct label label;
	uint32_t types[64];

	(void)state;
	begin(&s, 16384);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(give_packet(&s, 0, late + i, 1000), 0);
	assert_int_equal(give_packet(&s, 0, 7, 60), 1);
	memset(&label, 0, sizeof(label));
	cut(&s, types, 64, &label);
	assert_int_equal(label.first, late);
	assert_int_equal(label.last, late + 2);
	assert_int_equal(give_packet(&s, 0, 7, 60), 0);
	section_free(&s);
}

/* Of the record: no packet is later by more than a second, unless its clock is far ahead. */
static void the_moment_of_a_section(void **state)
{
	const uint64_t second = SECTION_SPAN_NS, hour = 3600 * second, now = 100 * hour;
	struct label l = {.first = now - second, .last = now};

	(void)state;
	assert_int_equal(section_moment(&l, now), l.first);
	l.last = now + 37 * second;
	assert_int_equal(section_moment(&l, now), l.last);
	l.last = now + 2 * hour;
	assert_int_equal(section_moment(&l, now), now + hour / 2);
	l.first = now + hour;
	assert_int_equal(section_moment(&l, now), l.first);
}

static void an_interface_begins_a_section(void **state)
{
	struct section s;
	struct label label;
	uint32_t types[8];

	(void)state;
	begin(&s, SECTION_SIZE);
	assert_int_equal(give_packet(&s, 0, 1, 60), 0);
	assert_int_equal(give_interface(&s, "v1"), 1);
	cut(&s, types, 8, &label);
	assert_string_equal(label.interface, "v0");
	assert_int_equal(give_interface(&s, "v1"), 0);
	assert_int_equal(give_packet(&s, 1, 1, 60), 0);
	assert_int_equal(give_packet(&s, 2, 1, 60), -EBADMSG);
	assert_int_equal(cut(&s, types, 8, &label), 5);
	assert_string_equal(label.interface, "v0,v1");
	section_free(&s);
}

/* A section has those that it needs, by numbers of its own. */
static void many_interfaces_are_not_repeated(void **state)
{
	static const uint32_t given[] = {150, 0, 199, 150}, wanted[] = {1, 0, 2, 1};
	struct pcapng_reader r;
	struct pcapng_packet p;
	struct pcapng_block b;
	struct buffer message;
	struct section s;
	struct label label;
	uint32_t interfaces, packets, ended;

	(void)state;
	begin(&s, 16384);
	for (unsigned i = 1; i < 200; i++)
		assert_int_equal(give_interface(&s, "another"), 0);
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(give_packet(&s, given[i], 1, 60), 0);
		assert_int_equal(section_cut(&s, 0, 77, &message, &label), 0);
		assert_true(message.used < 2304);
		interfaces = packets = ended = 0;
		r = (struct pcapng_reader){.at = message.at, .end = message.at + message.used};
		while (pcapng_next(&r, &b)) {
			interfaces += b.type == BLOCK_INTERFACE;
			if (b.type == BLOCK_STATISTICS)
				assert_int_equal(pcapng_u32(b.body, false), ended++);
			if (!pcapng_is_packet(b.type))
				continue;
			assert_true(pcapng_packet_read(&p, &b));
			assert_int_equal(p.interface_id, wanted[packets++]);
			assert_true(p.interface_id < interfaces);
		}
		assert_null(r.fault);
		assert_int_equal(interfaces, 3);
		assert_int_equal(packets, 4);
		assert_int_equal(ended, 3);
		buffer_free(&message);
	}
	for (unsigned i = 0; i < 200 && !give_packet(&s, i, 1, 60); i++)
		;
	assert_true(s.label.packets > 50);
	section_free(&s);
}

/* A block of these words, in the other byte order. */
static void give_swapped(struct section *s, uint32_t type, const uint32_t *words, size_t n)
{
	uint32_t length = (uint32_t)(n * sizeof(*words)) + BLOCK_LENGTH_MIN;
	struct pcapng_reader r = {.swapped = true};
	struct buffer made = {.at = NULL};
	struct pcapng_block b;

	assert_int_equal(buffer_u32(&made, type, true), 0);
	assert_int_equal(buffer_u32(&made, length, true), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(buffer_u32(&made, words[i], true), 0);
	assert_int_equal(buffer_u32(&made, length, true), 0);
	r.at = made.at;
	r.end = made.at + made.used;
	assert_true(pcapng_next(&r, &b));
	assert_int_equal(section_take(s, &b), 0);
	buffer_free(&made);
}
#define GIVE_SWAPPED(s, type, ...)                                                                 \
	do {                                                                                       \
		const uint32_t words[] = {__VA_ARGS__};                                            \
                                                                                                   \
		give_swapped(s, type, words, sizeof(words) / sizeof(words[0]));                    \
	} while (0)

/* Also where interfaces are numbered anew: n of them, a packet of the last. */
static void look_at_swapped(uint32_t n, uint32_t wanted)
{
	uint64_t time = 1700000000000000123;
	struct pcapng_packet p = {.caplen = 0};
	struct pcapng_reader r;
	struct pcapng_block b;
	struct buffer message;
	struct section s;
	struct label label;

	section_init(&s, &who, 16384);
	GIVE_SWAPPED(&s, BLOCK_SECTION, BYTE_ORDER_MAGIC, 0x10000, ~0u, ~0u);
	for (uint32_t i = 0; i < n; i++) /* if_tsresol: ns */
		GIVE_SWAPPED(&s, BLOCK_INTERFACE, 0x10000, 0, 0x90001, 0x9000000, 0);
	GIVE_SWAPPED(&s, BLOCK_ENHANCED_PACKET, n - 1, (uint32_t)(time >> 32), (uint32_t)time, 4,
		     60, 0x01020304);
	assert_int_equal(section_cut(&s, 0, 77, &message, &label), 0);
	assert_int_equal(label.first, time);
	r = (struct pcapng_reader){.at = message.at, .end = message.at + message.used};
	while (pcapng_next(&r, &b)) {
		if (b.type == BLOCK_STATISTICS)
			break;
		if (pcapng_is_packet(b.type))
			assert_true(pcapng_packet_read(&p, &b));
	}
	assert_true(r.swapped);
	assert_int_equal(p.interface_id, wanted);
	assert_int_equal(p.stamp, time);
	assert_memory_equal(p.frame, "\1\2\3\4", 4);
	assert_int_equal(pcapng_u32(b.body, true), wanted);
	assert_int_equal(pcapng_u64(b.body + b.length - 12, true), 1); /* delivered */
	buffer_free(&message);
	section_free(&s);
}

static void the_other_byte_order_stays(void **state)
{
	(void)state;
	look_at_swapped(3, 2);
	look_at_swapped(200, 1);
}

/* Headers, interfaces and processes of comments alone leave room for packets. */
static void no_header_is_too_long(void **state)
{
	static char comment[12000];
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_section header = {.comment = comment, .os = "o"};
	const struct pcapng_interface interface = {.name = "v1", .description = comment};
	struct pcapng_block block;
	struct section s;
	struct label label;
	uint32_t types[8];

	(void)state;
	memset(comment, 'c', sizeof(comment) - 1);
	begin(&s, 16384);
	pcapng_put_section(&b, &header);
	block = block_of(&b);
	assert_int_equal(section_take(&s, &block), 0);
	assert_int_equal(give_interface(&s, "v0"), 0);
	assert_int_equal(give_packet(&s, 0, 1, 9000), 0);
	assert_int_equal(cut(&s, types, 8, &label), 4);
	b.used = 0;
	pcapng_put_interface(&b, &interface);
	block = block_of(&b);
	assert_int_equal(section_take(&s, &block), 0);
	assert_true(s.is_shortened);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(give_packet(&s, 1, 1, 2000), 0);
	cut(&s, types, 8, &label);
	assert_string_equal(label.interface, "v0,v1");
	section_free(&s);
}

/* What put says of what it cannot read. */
static void others_are_named(void **state)
{
	static const struct {
		const char *bytes, *words;
	} cases[] = {
		{"\x1f\x8b\x08\x08", "gzip -dc FILE |"},
		{"\x28\xb5\x2f\xfd", "zstd -dc FILE |"},
		{"\xfd"
		 "7zXZ",
		 "xz -dc FILE |"},
		{"BZh9", "bzip2 -dc FILE |"},
		{"\x04\x22\x4d\x18", "lz4 -dc FILE |"},
		{"\xa1\xb2\xcd\x34", "others have modified"},
		{"\x34\xcd\xb2\xa1", "others have modified"},
		{"MZ..", "neither pcapng nor pcap"},
	};
	struct pcapng_block b;
	struct input in;
	int fds[2];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(pipe(fds), 0);
		input_init(&in, fds[0]);
		assert_int_equal(write(fds[1], cases[i].bytes, 4), 4);
		assert_int_equal(input_fill(&in), 1);
		assert_int_equal(input_next(&in, &b), -EBADMSG);
		assert_non_null(strstr(in.fault, cases[i].words));
		close(fds[0]);
		close(fds[1]);
		input_free(&in);
	}
}

/* The lengths of a packet in its two places, for each version that libpcap reads; and others. */
static void each_version_has_its_order(void **state)
{
	static const struct {
		uint16_t major, minor;
		uint32_t first, second;
		bool is_refused;
	} cases[] = {{2, 4, 4, 60, false}, {2, 3, 4, 60, false},   {2, 3, 60, 4, false},
		     {2, 2, 60, 4, false}, {543, 0, 60, 4, false}, {2, 5, 4, 60, true},
		     {1, 4, 4, 60, true},  {543, 1, 60, 4, true}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const uint32_t packet[] = {7, 5, cases[i].first, cases[i].second, 0x01020304};
		struct savefile_header h = savefile_header(65535, 1);
		struct pcapng_packet p = {.caplen = 0};
		struct pcapng_block b;
		struct input in;
		int fds[2], n;

		h.major = cases[i].major;
		h.minor = cases[i].minor;
		assert_int_equal(pipe(fds), 0);
		input_init(&in, fds[0]);
		assert_int_equal(write(fds[1], &h, sizeof(h)), sizeof(h));
		assert_int_equal(write(fds[1], packet, sizeof(packet)), sizeof(packet));
		assert_int_equal(input_fill(&in), 1);
		while ((n = input_next(&in, &b)) == 1)
			if (pcapng_is_packet(b.type))
				assert_true(pcapng_packet_read(&p, &b));
		assert_int_equal(n, cases[i].is_refused ? -EBADMSG : 0);
		assert_int_equal(p.caplen, cases[i].is_refused ? 0 : 4);
		assert_int_equal(p.len, cases[i].is_refused ? 0 : 60);
		close(fds[0]);
		close(fds[1]);
		input_free(&in);
	}
}

/* pcap of the other byte order, a byte at a time; the rest of a packet is left. */
static void old_pcap_is_read(void **state)
{
	const uint32_t words[] =
		{0xa1b2c3d4, 0x00020004, 0, 0,	65535,	    0, /* header: loopback */
		 7,	     5,		 4, 60, 0x01020304, 8, 1};
	struct pcapng_packet p = {.caplen = 0};
	struct pcapng_block b;
	struct input in;
	unsigned blocks = 0;
	int fds[2], n;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	input_init(&in, fds[0]);
	for (size_t i = 0; i < sizeof(words); i++) {
		uint32_t word = bswap_32(words[i / 4]);

		assert_int_equal(write(fds[1], (const uint8_t *)&word + i % 4, 1), 1);
		assert_int_equal(input_fill(&in), 1);
		while ((n = input_next(&in, &b)) == 1)
			if (++blocks == 3) {
				assert_true(pcapng_packet_read(&p, &b));
				assert_int_equal(pcapng_u32(p.frame, false), 0x01020304);
			}
		assert_int_equal(n, 0);
	}
	assert_int_equal(blocks, 3);
	assert_int_equal(p.stamp, 7000005000);
	assert_int_equal(p.caplen, 4);
	assert_int_equal(p.len, 60);
	close(fds[1]);
	assert_int_equal(input_fill(&in), 0);
	assert_int_equal(input_left(&in), 8);
	close(fds[0]);
	input_free(&in);
}

static void clocks_are_of_any_unit(void **state)
{
	static const struct {
		struct pcapng_clock clock;
		uint64_t stamp, ns;
	} cases[] = {
		{{6, 0}, 1000001, 1000001000},
		{{9, 0}, 7, 7},
		{{0, 0}, 3, 3000000000},
		{{12, 0}, 1999, 1},
		{{0x80 | 10, 0}, 1536, 1500000000},
		{{0x80 | 40, 0}, 1ull << 39, 500000000},
		{{9, 2}, 5, 2000000005},
		{{9, -2}, 3000000000, 1000000000},
		{{9, -2}, 1, 0},
		{{0, 0}, UINT64_MAX, UINT64_MAX},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(pcapng_clock_ns(&cases[i].clock, cases[i].stamp), cases[i].ns);
}

/* Ten megabytes of blocks of names, of 12 bytes each, of which all but the last are forgotten. */
static void many_names_take_little_time(void **state)
{
	static const uint32_t names[] = {BLOCK_NAMES, 12, 12};
	struct pcapng_reader r;
	struct pcapng_block b;
	struct section s;
	clock_t begun;

	(void)state;
	begin(&s, SECTION_SIZE);
	begun = clock();
	for (unsigned i = 0; i < 800000; i++) {
		r = (struct pcapng_reader){.at = (const uint8_t *)names,
					   .end = (const uint8_t *)(names + 3)};
		assert_true(pcapng_next(&r, &b));
		if (section_take(&s, &b) == 1) {
			struct buffer message;
			struct label l;

			assert_int_equal(section_cut(&s, 0, 0, &message, &l), 0);
			buffer_free(&message);
			assert_int_equal(section_take(&s, &b), 0);
		}
	}
	assert_in_range((clock() - begun) / (CLOCKS_PER_SEC / 1000), 0, 3000);
	assert_in_range(s.names.used, SECTION_NAMES_MAX / 2, SECTION_NAMES_MAX);
	section_free(&s);
}

/* Keys that fill most of the room for them push those before them out, and not themselves. */
static void the_newest_keys_stay(void **state)
{
	static const uint8_t keys[3800];
	static const size_t sizes[] = {400, sizeof(keys)};
	uint32_t types[8];
	struct label label;
	struct section s;

	(void)state;
	begin(&s, 16384);
	for (size_t i = 0; i < 2; i++) {
		struct bytes b = {.at = memory, .room = sizeof(memory)};
		struct pcapng_block block;

		pcapng_put_secrets(&b, SECRETS_TLS_KEY_LOG, keys, sizes[i]);
		block = block_of(&b);
		assert_int_equal(section_take(&s, &block), 0);
		assert_int_equal(give_packet(&s, 0, 1, 100), 0);
		cut(&s, types, 8, &label);
	}
	assert_int_equal(give_packet(&s, 0, 1, 100), 0);
	assert_int_equal(cut(&s, types, 8, &label), 5);
	assert_int_equal(types[2], BLOCK_SECRETS);
	assert_in_range(s.names.used, sizeof(keys), 4096);
	assert_int_equal(section_resize(&s, 8192), 0); /* there is no room for it any more */
	assert_int_equal(s.names.used, 0);
	section_free(&s);
}

static void labels_are_refused(void **state)
{
	char text[LABEL_ROOM];
	struct label l, back;
	size_t n = label_format(&who, text);

	(void)state;
	memset(&back, 0, sizeof(back));
	assert_true(label_parse(&back, text, n));
	assert_memory_equal(&back, &who, sizeof(back));
	for (size_t i = 0; i < n; i++) {
		bool is_older = i == (size_t)(strstr(text, "before=") - text);

		assert_int_equal(label_parse(&l, text, i), is_older);
		assert_true(!is_older || l.before == LABEL_NOT_SAID);
	}
	l = who;
	snprintf(l.host, sizeof(l.host),
		 "a\xc2\x9b"
		 "b\xff"
		 "c\xc3\xa4"); /* C1, no UTF-8, UTF-8 */
	n = label_format(&l, text);
	assert_true(label_parse(&back, text, n));
	assert_string_equal(back.host, "a??b?c\xc3\xa4");
	assert_true(label_name(l.host, sizeof(l.host),
			       "a\xc2\x9b"
			       "b\xff"
			       "c\xc3\xa4\x1b"));
	assert_string_equal(l.host, "abc\xc3\xa4");
	text[13] = '2'; /* another version */
	assert_false(label_parse(&l, text, n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_repeats_what_it_needs),
		cmocka_unit_test(size_and_span_are_kept),
		cmocka_unit_test(clocks_apart_share_sections),
		cmocka_unit_test(a_step_back_is_cut),
		cmocka_unit_test(the_moment_of_a_section),
		cmocka_unit_test(an_interface_begins_a_section),
		cmocka_unit_test(many_interfaces_are_not_repeated),
		cmocka_unit_test(the_other_byte_order_stays),
		cmocka_unit_test(no_header_is_too_long),
		cmocka_unit_test(others_are_named),
		cmocka_unit_test(each_version_has_its_order),
		cmocka_unit_test(old_pcap_is_read),
		cmocka_unit_test(clocks_are_of_any_unit),
		cmocka_unit_test(many_names_take_little_time),
		cmocka_unit_test(the_newest_keys_stay),
		cmocka_unit_test(labels_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
