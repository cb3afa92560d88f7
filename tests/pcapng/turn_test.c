/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Headers of packets of the other byte order are turned as libpcap turns them, wherever they are
 * cut off; and those that it leaves as they are. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <byteswap.h>
#include <stdio.h>
#include <string.h>

#include <pcap/pcap.h>

#include "pcapng/savefile.h"
#include "pcapng/turn.h"
#include "tests/random.h"

#define MOST	  200
#define FRAMES	  20000
#define SNAPLEN	  262144
#define USB_COUNT 60

#define NULL_LINK 0
#define ENC	  109
#define PFLOG	  117
#define SLL	  113
#define USB	  189
#define USB_MMAP  220
#define NFLOG	  239
#define SLL2	  276

static uint64_t numbers = RANDOM_SEED;
static struct buffer room;

static unsigned below(unsigned n)
{
	return (unsigned)(random_next(&numbers) % n);
}

static void put_u16(uint8_t *at, unsigned n)
{
	uint16_t other = bswap_16((uint16_t)n);

	memcpy(at, &other, sizeof(other));
}

/* So many bytes of a frame of the other byte order, of which what its form depends on is likely. */
static uint32_t make(uint16_t link, uint8_t frame[MOST])
{
	uint32_t count = bswap_32(below(12));

	for (unsigned i = 0; i < MOST; i++)
		frame[i] = (uint8_t)random_next(&numbers);
	switch (link) {
	case SLL:
	case SLL2:
		memcpy(frame + (link == SLL ? 14 : 0), (uint8_t[]){0, (uint8_t)(10 + below(4))}, 2);
		break;
	case PFLOG:
		frame[0] = (uint8_t)(40 + below(30));
		break;
	case USB:
	case USB_MMAP:
		frame[9] = (uint8_t)below(2);
		memcpy(frame + USB_COUNT, &count, sizeof(count));
		break;
	case NFLOG:
		frame[1] = below(10) == 0;
		for (unsigned at = 4, n; at + 4 <= MOST; at += (n + 3) & ~3u) {
			n = below(12) ? 4 + below(20) : below(4);
			put_u16(frame + at, n);
			n = n < 4 ? 4 : n;
		}
	}
	return below(MOST + 1);
}

/* As libpcap gives it, of a file of the other byte order. */
static void read_by_libpcap(uint16_t link, const uint8_t *frame, uint32_t n, uint8_t *to)
{
	struct savefile_header h = savefile_header(SNAPLEN, link);
	struct savefile_record r = {.caplen = bswap_32(n), .len = bswap_32(n)};
	uint8_t file[sizeof(h) + sizeof(r) + MOST];
	char why[PCAP_ERRBUF_SIZE];
	struct pcap_pkthdr *head;
	const u_char *data;
	pcap_t *p;

	h.magic = bswap_32(h.magic);
	h.major = bswap_16(h.major);
	h.minor = bswap_16(h.minor);
	h.snaplen = bswap_32(h.snaplen);
	h.link_type = bswap_32(h.link_type);
	memcpy(file, &h, sizeof(h));
	memcpy(file + sizeof(h), &r, sizeof(r));
	memcpy(file + sizeof(h) + sizeof(r), frame, n);
	p = pcap_fopen_offline(fmemopen(file, sizeof(h) + sizeof(r) + n, "r"), why);
	assert_non_null(p);
	assert_int_equal(pcap_next_ex(p, &head, &data), 1);
	assert_int_equal(head->caplen, n);
	memcpy(to, data, n);
	pcap_close(p);
}

static const uint8_t *turned(uint16_t link, const uint8_t *frame, uint32_t n)
{
	struct pcapng_packet p = {.caplen = n, .len = n, .frame = frame};

	assert_int_equal(turn_packet(&p, link, &room), 0);
	assert_int_equal(p.caplen, n);
	return p.frame;
}

static void as_libpcap_turns_them(void **state)
{
	static const uint16_t links[] = {PFLOG, SLL, SLL2, USB, USB_MMAP, NFLOG, 1, 108};
	unsigned changed = 0;

	(void)state;
	for (unsigned i = 0; i < FRAMES; i++) {
		uint16_t link = links[i % (sizeof(links) / sizeof(links[0]))];
		uint8_t frame[MOST], kept[MOST], wanted[MOST];
		uint32_t n = make(link, frame);

		memcpy(kept, frame, n);
		read_by_libpcap(link, frame, n, wanted);
		assert_memory_equal(turned(link, frame, n), wanted, n);
		assert_memory_equal(frame, kept, n);
		changed += memcmp(frame, wanted, n) != 0;
	}
	assert_true(changed > FRAMES / 4);
}

/* BSD's loopback and IPsec, for which it compiles another filter; and what older ones leave. */
static void and_those_that_it_leaves(void **state)
{
	uint8_t frame[32], other[32];

	(void)state;
	for (uint8_t i = 0; i < sizeof(frame); i++)
		other[i] = frame[i] = i;
	memcpy(other, "\3\2\1", 4);
	assert_memory_equal(turned(NULL_LINK, frame, 8), other, 8);
	assert_memory_equal(turned(NULL_LINK, frame, 3), frame, 3);
	memcpy(other + 8, "\13\12\11\10", 4);
	assert_memory_equal(turned(ENC, frame, 12), other, 12);
	frame[1] = 14; /* CAN XL behind LINUX_SLL2 */
	memcpy(other, frame, sizeof(frame));
	memcpy(other + 20, "\27\26\25\24\30\31\33\32\37\36\35\34", 12);
	assert_memory_equal(turned(SLL2, frame, 32), other, 32);
	buffer_free(&room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_libpcap_turns_them),
		cmocka_unit_test(and_those_that_it_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
