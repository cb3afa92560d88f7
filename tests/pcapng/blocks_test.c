/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Blocks that pcapng/ writes, pcapng/ reads: whole, in the other byte order, cut and broken. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <string.h>

#include "capture/afxdpcapture.h"
#include "pcapng/cooked.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"
#include "pcapng/write.h"

static uint8_t memory[4096];

static size_t write_all(void)
{
	static const uint8_t mac[6] = {2, 0, 0, 0, 0, 1};
	struct pcapng_section s = {.os = "Linux", .application = "test", .comment = "abc"};
	struct pcapng_interface i = {.name = "v0", .mac = mac, .filter = "udp", .snaplen = 96};
	struct pcapng_statistics t = {.received = 7, .dropped_by_system = 1ull << 40};
	struct bytes b = {.at = memory, .room = sizeof(memory)};

	pcapng_put_section(&b, &s);
	pcapng_put_interface(&b, &i);
	pcapng_put_statistics(&b, &t);
	assert_false(b.overflow);
	return b.used;
}

/* The value of one option of the block, as far as it fits; its length, or -1. */
static int find(const struct pcapng_block *b, uint32_t from, uint16_t code, void *value,
		size_t room)
{
	struct pcapng_options options = pcapng_options(b, from);
	struct pcapng_option o;
	int length = -1;

	while (pcapng_next_option(&options, &o))
		if (o.code == code) {
			memcpy(value, o.value, o.length < room ? o.length : room);
			length = o.length;
		}
	assert_null(options.fault);
	return length;
}

static void what_is_written_is_read(void **state)
{
	struct pcapng_reader r = {.at = memory, .end = memory + write_all()};
	struct pcapng_block b;
	char text[8] = "";
	uint64_t lost = 0;

	(void)state;
	assert_true(pcapng_next(&r, &b));
	assert_int_equal(b.type, BLOCK_SECTION);
	assert_int_equal(find(&b, 16, SHB_OS, text, sizeof(text)), 5);
	assert_string_equal(text, "Linux");
	assert_int_equal(find(&b, 16, SHB_HARDWARE, text, sizeof(text)), -1);
	assert_true(pcapng_next(&r, &b));
	assert_int_equal(b.type, BLOCK_INTERFACE);
	assert_int_equal(find(&b, 8, IF_FILTER, text, sizeof(text)), 4);
	assert_memory_equal(text, "\0udp", 4);
	assert_true(pcapng_next(&r, &b));
	assert_int_equal(find(&b, 12, ISB_OSDROP, &lost, sizeof(lost)), 8);
	assert_int_equal(lost, 1ull << 40);
	assert_false(pcapng_next(&r, &b));
	assert_null(r.fault);
	assert_ptr_equal(r.at, r.end);
}

/* Every number of what write_all() writes, with its bytes the other way round. */
static size_t write_swapped(void)
{
	static const uint32_t words[] = {BLOCK_SECTION, 28, BYTE_ORDER_MAGIC, 0x00010000, ~0u,
					 ~0u,		28};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++, n += 4)
		for (int k = 0; k < 4; k++)
			memory[n + (size_t)k] = ((const uint8_t *)&words[i])[3 - k];
	return n;
}

static void the_other_byte_order_is_read(void **state)
{
	struct pcapng_reader r = {.at = memory, .end = memory + write_swapped()};
	struct pcapng_block b;

	(void)state;
	assert_true(pcapng_next(&r, &b));
	assert_true(b.swapped);
	assert_int_equal(b.length, 16);
	assert_int_equal(pcapng_u32(b.body, b.swapped), BYTE_ORDER_MAGIC);
	assert_false(pcapng_next(&r, &b));
	assert_null(r.fault);
}

/* A cut is no fault, and what is whole before it is read. */
static void a_cut_file_is_read_to_the_cut(void **state)
{
	size_t whole = write_all(), read_of_whole = 0;

	(void)state;
	for (size_t n = 0; n <= whole; n++) {
		struct pcapng_reader r = {.at = memory, .end = memory + n};
		struct pcapng_block b;
		uint64_t packets = 0;
		size_t blocks = 0;

		while (pcapng_next(&r, &b))
			blocks++;
		assert_null(r.fault);
		assert_true(blocks >= read_of_whole);
		read_of_whole = blocks;
		assert_int_equal(pcapng_whole_blocks(memory, n, &packets), r.at - memory);
	}
	assert_int_equal(read_of_whole, 3);
}

/* Any one byte wrong: blocks or a fault, but nothing outside of the memory (by sanitizers). */
static void broken_bytes_lead_nowhere(void **state)
{
	size_t whole = write_all();

	(void)state;
	for (size_t n = 0; n < whole * 8; n++) {
		struct pcapng_reader r = {.at = memory, .end = memory + whole};
		struct pcapng_block b;
		struct pcapng_option o;

		memory[n / 8] ^= (uint8_t)(1u << n % 8);
		while (pcapng_next(&r, &b)) {
			struct pcapng_options options = pcapng_options(&b, 8);

			while (pcapng_next_option(&options, &o))
				assert_true(o.value + o.length <= r.at);
		}
		memory[n / 8] ^= (uint8_t)(1u << n % 8);
	}
}

static void faults_are_named(void **state)
{
	struct pcapng_reader r;
	struct pcapng_block b;
	uint32_t length = 10;
	size_t whole = write_all();

	(void)state;
	memcpy(memory + 4, &length, sizeof(length));
	r = (struct pcapng_reader){.at = memory, .end = memory + whole};
	assert_false(pcapng_next(&r, &b));
	assert_string_equal(r.fault, "its length is impossible");
	write_all();
	memory[8] ^= 1;
	r = (struct pcapng_reader){.at = memory, .end = memory + whole};
	assert_false(pcapng_next(&r, &b));
	assert_string_equal(r.fault, "its byte order is unknown");
	for (uint8_t minor = 0; minor < 4; minor++) {
		write_all();
		memory[14] = minor;
		r = (struct pcapng_reader){.at = memory, .end = memory + whole};
		assert_int_equal(pcapng_next(&r, &b), minor == 0 || minor == 2);
	}
	memory[12]++;
	r = (struct pcapng_reader){.at = memory, .end = memory + whole};
	assert_false(pcapng_next(&r, &b));
	assert_string_equal(r.fault, "its version is unknown");
}

static void short_blocks_are_no_packets(void **state)
{
	static const uint8_t body[24] = {[12] = 5}; /* caplen 5: beyond the block */
	struct pcapng_block b = {.body = body, .type = BLOCK_ENHANCED_PACKET, .length = 20};
	struct pcapng_options options;
	struct pcapng_option o;
	struct pcapng_packet p;

	(void)state;
	assert_false(pcapng_packet_read(&p, &b));
	b.length = 16;
	assert_false(pcapng_packet_read(&p, &b));
	b.type = BLOCK_INTERFACE;
	b.length = 24;
	assert_false(pcapng_packet_read(&p, &b));
	b.type = BLOCK_SIMPLE_PACKET;
	b.length = 0;
	assert_false(pcapng_packet_read(&p, &b));
	b.length = 22;
	options = pcapng_options(&b, 20);
	assert_false(pcapng_next_option(&options, &o));
	assert_string_equal(options.fault, "its options are cut");
}

struct cooked_case {
	struct cooked_link link;
	uint8_t frame[16];
	uint32_t caplen, flags;
	uint16_t protocol, hatype; /* wanted, as all that follows */
	uint8_t pkttype, halen;
	uint32_t replaced;
};

static void a_cooked_header_is_that_of_the_frame(void **state)
{
	static const struct cooked_link ethernet = {LINKTYPE_ETHERNET, 1, 7};
	static const struct cooked_link unknown = {LINKTYPE_ETHERNET, 0, 0};
	static const struct cooked_link raw = {LINKTYPE_RAW, 65534, 7}, none = {LINKTYPE_RAW, 0, 0};
	static const struct cooked_case cases[] = {
		{ethernet, {2, [12] = 8, 0}, 14, 0, 0x800, 1, 0, 6, 14},
		{ethernet, {2, [12] = 8, 0}, 14, EPB_FLAG_OUTBOUND, 0x800, 1, 4, 6, 14},
		{ethernet, {2, [12] = 8, 0}, 14, EPB_FLAG_RECEPTION(4), 0x800, 1, 3, 6, 14},
		{ethernet, {255, 255, 255, 255, 255, 255, [12] = 8, 6}, 14, 0, 0x806, 1, 1, 6, 14},
		{unknown, {1, [12] = 0x81, 0}, 14, 0, 0x8100, 1, 2, 6, 14},
		{ethernet, {2, [12] = 0, 46}, 14, 0, 4, 1, 0, 6, 14}, /* 802.3 */
		{ethernet, {2, [12] = 8, 0}, 12, 0, 0, 1, 0, 6, 14},  /* cut */
		{ethernet, {2, [12] = 8, 0}, 0, 0, 0, 1, 0, 6, 14},
		{raw, {0x45}, 16, 0, 0x800, 65534, 0, 0, 0},
		{raw, {0x60}, 16, EPB_FLAG_OUTBOUND, 0x86dd, 65534, 4, 0, 0},
		{none, {0}, 0, 0, 0, 0xffff, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct cooked_case *c = &cases[i];
		struct epb_cooked h;

		assert_int_equal(cooked_header(&h, &c->link, c->frame, c->caplen, c->flags),
				 c->replaced);
		assert_int_equal(ntohs(h.protocol), c->protocol);
		assert_int_equal(ntohs(h.hatype), c->hatype);
		assert_int_equal(h.pkttype, c->pkttype);
		assert_int_equal(h.halen, c->halen);
		assert_int_equal(ntohl(h.ifindex), c->link.ifindex);
	}
}

/* A record of so many bytes, with that many of them kept, as a cooked block. */
static void cook(uint32_t caplen, uint32_t len, uint32_t wanted, uint32_t wanted_len)
{
	static uint32_t room[SNAPLEN_MOST / 4 + 64];
	static uint8_t to[SNAPLEN_MOST + 256];
	struct epb_header *r = (void *)room;
	struct epb_lengths l = {.caplen = caplen};
	struct bytes b = {.at = to, .room = sizeof(to)};
	struct epb_cooked h = {.halen = 6};
	struct pcapng_reader reader;
	struct pcapng_block block;
	struct pcapng_packet p;

	memset(room, 0, sizeof(room));
	l.total = (uint32_t)(sizeof(*r) + EPB_PADDED(caplen) + sizeof(struct epb_options) +
			     sizeof(struct epb_end));
	*r = (struct epb_header){EPB_TYPE, l.total, 3, 0, 5, caplen, len};
	pcapng_put_record(&b, r, &l, caplen, &h, 14);
	assert_false(b.overflow);
	reader = (struct pcapng_reader){.at = to, .end = to + b.used};
	assert_true(pcapng_next(&reader, &block));
	assert_true(pcapng_packet_read(&p, &block));
	assert_int_equal(p.interface_id, 3);
	assert_int_equal(p.caplen, wanted);
	assert_int_equal(p.len, wanted_len);
	assert_memory_equal(p.frame, &h, sizeof(h));
}

static void a_cooked_packet_is_no_longer_than_libpcap_reads(void **state)
{
	(void)state;
	cook(60, 60, 66, 66);
	cook(60, 1514, 66, 1520);
	cook(14, 14, 20, 20);
	cook(5, 60, 20, 66);
	cook(SNAPLEN_MOST, SNAPLEN_MOST, SNAPLEN_MOST, SNAPLEN_MOST + 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(the_other_byte_order_is_read),
		cmocka_unit_test(a_cut_file_is_read_to_the_cut),
		cmocka_unit_test(broken_bytes_lead_nowhere),
		cmocka_unit_test(short_blocks_are_no_packets),
		cmocka_unit_test(faults_are_named),
		cmocka_unit_test(a_cooked_header_is_that_of_the_frame),
		cmocka_unit_test(a_cooked_packet_is_no_longer_than_libpcap_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
