/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/random.h"
#include "tests/sets/chance.h"

static uint64_t state = RANDOM_SEED;
struct set sets[2], *set = sets;
unsigned singles, prefixes, tags_looked_behind;
bool cuts_frames;

static unsigned below(unsigned n)
{
	return (unsigned)(random_next(&state) >> 20) % n;
}

static struct address any_address(bool ipv6)
{
	struct address a = {.ipv6 = ipv6};

	for (unsigned i = 0; i < (ipv6 ? 16 : 4); i++)
		a.byte[i] = (uint8_t)below(256);
	if (ipv6) { /* few first halves, so that there are neighbors */
		memcpy(a.byte, "\x20\x01\x0d\xb8\0\0\0\0", 8);
		a.byte[5] = (uint8_t)below(4);
		if (!below(8)) /* the first ones of all, and the last ones */
			memset(a.byte, below(2) ? 255 : 0, 8);
	} else if (below(2)) {
		a.byte[0] = 10;
		a.byte[1] = (uint8_t)below(8);
	}
	return a;
}

static struct address with_bits(struct address a, unsigned from, bool set)
{
	for (unsigned i = from; i < (a.ipv6 ? 128u : 32u); i++)
		if (set)
			a.byte[i / 8] |= (uint8_t)(128 >> i % 8);
		else
			a.byte[i / 8] &= (uint8_t) ~(128 >> i % 8);
	return a;
}

static const char *text_of(const struct address *a, char text[INET6_ADDRSTRLEN])
{
	return inet_ntop(a->ipv6 ? AF_INET6 : AF_INET, a->byte, text, INET6_ADDRSTRLEN);
}

static void write_entry(FILE *f, const struct entry *e, unsigned length)
{
	char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN];

	text_of(&e->from, from);
	text_of(&e->to, to);
	if (!length)
		fprintf(f, below(4) ? "%s\n" : "  %s # a comment\r\n", from);
	else if (below(4))
		fprintf(f, "%s/%u\n", from, length);
	else
		fprintf(f, "%s-%s\n", from, to);
}

int compare(const struct address *a, const struct address *b)
{
	return a->ipv6 != b->ipv6 ? a->ipv6 - b->ipv6 : memcmp(a->byte, b->byte, 16);
}

static int compare_entries(const void *a, const void *b)
{
	return compare(&((const struct entry *)a)->from, &((const struct entry *)b)->from);
}

static void join(void)
{
	struct entry *to = set->joined;

	memcpy(to, set->entries, set->count * sizeof(*to));
	qsort(to, set->count, sizeof(*to), compare_entries);
	set->joined_count = 0;
	for (unsigned i = 0; i < set->count; i++) {
		struct entry next = to[i], *last = &to[set->joined_count - (i > 0)];

		if (i && compare(&next.from, &last->to) <= 0) {
			if (compare(&next.to, &last->to) > 0)
				last->to = next.to;
		} else {
			to[set->joined_count++] = next;
		}
	}
}

void make_set(void)
{
	FILE *f = fopen(FILE_NAME ".new", "w");

	if (!f) {
		perror(FILE_NAME);
		exit(1);
	}
	for (set->count = 0; set->count < singles + prefixes; set->count++) {
		struct entry *e = &set->entries[set->count];
		bool ipv6 = below(2);
		unsigned length = set->count < singles ? 0 : ipv6 ? 40 + below(89) : 12 + below(21);

		e->from = e->to = any_address(ipv6);
		if (length) {
			e->from = with_bits(e->from, length, false);
			e->to = with_bits(e->to, length, true);
		}
		write_entry(f, e, length);
	}
	if (fclose(f) || rename(FILE_NAME ".new", FILE_NAME)) {
		perror(FILE_NAME);
		exit(1);
	}
	join();
}

void make_ports(void)
{
	FILE *f = fopen(PORTS_NAME, "w");

	if (!f || fputs(PORTS, f) < 0 || fclose(f)) {
		perror(PORTS_NAME);
		exit(1);
	}
}

bool is_in_set(const struct address *a)
{
	unsigned from = 0, behind = set->joined_count;

	while (behind - from > 1) {
		unsigned middle = from + (behind - from) / 2;

		if (compare(&set->joined[middle].from, a) <= 0)
			from = middle;
		else
			behind = middle;
	}
	return compare(&set->joined[from].from, a) <= 0 && compare(a, &set->joined[from].to) <= 0;
}

/* Half of them are in the set, or next to it. */
static struct address choose_address(bool ipv6)
{
	struct address a = any_address(ipv6);
	const struct entry *e = &set->entries[below(set->count)];

	if (below(3) || e->from.ipv6 != ipv6)
		return a;
	a = below(2) ? e->from : e->to;
	if (!below(4))
		a.byte[ipv6 ? 15 : 3] += below(2) ? 1 : 255;
	return a;
}

static void put(struct frame *f, const void *bytes, unsigned n)
{
	memcpy(f->byte + f->length, bytes, n);
	f->length += n;
}

static void put16(struct frame *f, unsigned n)
{
	put(f, (uint8_t[]){(uint8_t)(n >> 8), (uint8_t)n}, 2);
}

/* Only the header: whether lengths and sums are right nobody looks at. */
static void put_ip(struct frame *f, const struct address *s, const struct address *d,
		   unsigned protocol, unsigned fragment)
{
	if (s->ipv6) {
		put(f, "\x60\0\0\0\0\x20", 6);
		put(f, (uint8_t[]){(uint8_t)protocol, 64}, 2);
		put(f, s->byte, 16);
		put(f, d->byte, 16);
		return;
	}
	put(f, "\x45\0\0\x50\0\0", 6);
	put16(f, fragment);
	put(f, (uint8_t[]){64, (uint8_t)protocol, 0, 0}, 4);
	put(f, s->byte, 4);
	put(f, d->byte, 4);
}

static void put_arp(struct frame *f)
{
	bool usual = below(8);

	put(f, usual ? "\0\1\x08\0\6\4\0\1" : "\0\1\x08\0\x08\4\0\1", 8);
	put(f, "\2\0\0\0\0\1", 6);
	put(f, f->source.byte, 4);
	put(f, "\2\0\0\0\0\2", 6);
	put(f, f->destination.byte, 4);
	f->has_addresses = f->has_addresses && usual;
}

/* Up to two tags, or more than are looked behind. */
static unsigned put_tags(struct frame *f)
{
	static const unsigned types[] = {0x8100, 0x88a8, 0x9100};
	unsigned tags = below(3) ? 0 : 1 + below(3);

	for (unsigned i = 0; i < tags; i++) {
		put16(f, types[tags > 1 && !i ? below(3) : 0]);
		put16(f, 1 + below(4000));
	}
	return tags;
}

static void put_labels(struct frame *f)
{
	unsigned n = 1 + below(5);

	put16(f, 0x8847);
	for (unsigned i = 0; i < n; i++)
		put(f, (uint8_t[]){0, 1, i + 1 == n, 64}, 4);
	if (n > 4)
		f->has_addresses = false;
}

static unsigned choose_port(void)
{
	return below(4) ? 990 + 1000 * below(4) + below(120) : 7;
}

static void put_packet(struct frame *f)
{
	struct address inner = choose_address(false), other = choose_address(false);
	unsigned fragment;

	f->protocol = (unsigned[]){6, 17, 132, 1}[below(4)];
	f->source_port = choose_port();
	f->destination_port = choose_port();
	if (!below(8)) { /* a tunnel: inside nobody looks */
		put_ip(f, &f->source, &f->destination, 4, 0);
		put_ip(f, &inner, &other, 17, 0);
	} else {
		fragment = below(4) ? 0 : 0x2001;
		put_ip(f, &f->source, &f->destination, f->protocol, fragment);
		f->ports_end = f->length + 4;
		put16(f, f->source_port);
		put16(f, f->destination_port);
		f->has_ports =
			f->has_addresses && f->protocol != 1 && (f->source.ipv6 || !fragment);
	}
}

/* One of four ends in or behind its headers. Of one that is tagged the kernel wants 6 bytes. */
static void cut(struct frame *f, unsigned header, unsigned addresses_end)
{
	if (cuts_frames && !below(4))
		f->length = header + 4 + below(f->length - header - 3);
	f->has_addresses = f->has_addresses && f->length >= addresses_end;
	f->has_ports = f->has_ports && f->length >= f->ports_end;
}

void make_frame(struct frame *f, unsigned number)
{
	bool ipv6 = below(2), arp = !ipv6 && !below(4), labels;
	unsigned kind = below(20), header, addresses;

	f->length = 0;
	f->has_ports = false;
	put(f, "\2\0\0\0\0\2\2\0", NUMBER_AT);
	put16(f, number >> 16);
	put16(f, number);
	f->source = choose_address(ipv6);
	f->destination = choose_address(ipv6);
	f->has_addresses = put_tags(f) <= tags_looked_behind;
	labels = !arp && !below(6);
	header = f->length + 2;
	if (labels)
		put_labels(f);
	else
		put16(f, kind == 0 ? 0x88cc
			 : arp	   ? (below(4) ? 0x0806 : 0x8035)
			 : ipv6	   ? 0x86dd
				   : 0x0800);
	f->has_addresses = f->has_addresses && (labels || kind);
	addresses = f->length + (arp ? 28 : ipv6 ? 40 : 20);
	if (arp)
		put_arp(f);
	else
		put_packet(f);
	while (f->length < 56)
		put(f, "\0", 1);
	put16(f, number >> 16);
	put16(f, number);
	cut(f, header, addresses);
}
