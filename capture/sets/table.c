/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "table.h"
#include "util/clock.h"

/* Two of these are set: 1 of 60 other addresses passes in vain. With few addresses the bits stay in
 * a cache if there are fewer of them, which is better: 1 of 19. */
#define FRONT_BITS_EACH 16u
#define FRONT_BITS_FEW	8u
#define FRONT_MANY	(1u << 18)
#define INDEX_FROM	64u /* IPv4 ranges, from which an index is made */
#define BLOCK_BITS_EACH 64u /* per IPv4 range, rounded up to a power of two */
#define SHIFT4_LEAST	8u  /* a bit for 256 IPv4 addresses: 2 MiB for all of them */
#define SHIFT6_MOST	60u
#define SEEDS		8

/* A bucket with three places for 1.5 addresses. */
static uint64_t table_lines(uint64_t singles)
{
	return singles ? singles * 2 / SETS_PLACES + 4 : 0;
}

static uint64_t lines_of_bits(uint64_t count, unsigned bits_each)
{
	return count ? count * bits_each / (SETS_LINE * 8) + 1 : 0;
}

static uint64_t front_lines(uint64_t singles)
{
	return lines_of_bits(singles, singles > FRONT_MANY ? FRONT_BITS_EACH : FRONT_BITS_FEW);
}

/* An address that passes these takes many steps to search. */
static uint64_t front6_lines(uint64_t blocks)
{
	return lines_of_bits(blocks, FRONT_BITS_EACH);
}

/* Blocks of IPv4 addresses are as large as possible with BLOCK_BITS_EACH blocks for each range;
 * their size is a power of two. */
static uint32_t shift4_of(uint64_t ranges4)
{
	uint32_t shift = 32 - 9; /* a line of bits at least */

	while (shift > SHIFT4_LEAST && 1ull << (32 - shift) < ranges4 * BLOCK_BITS_EACH)
		shift--;
	return shift;
}

static uint64_t front4_lines(uint64_t ranges4)
{
	return ranges4 ? (1ull << (32 - shift4_of(ranges4))) / (SETS_LINE * 8) : 0;
}

/* Maximum number of blocks that ranges of IPv6 reach into: blocks are as small as this allows. */
static uint64_t blocks6_at_most(uint64_t ranges6)
{
	return ranges6 ? 2 * ranges6 + 16 : 0;
}

static uint64_t index_lines(uint64_t ranges4)
{
	return ranges4 > INDEX_FROM ? SETS_INDEX_LINES : 0;
}

static uint64_t ports_lines(const struct set_entries *e)
{
	return e->ports ? SETS_PORTS_LINES + (e->told ? SETS_PORT_LINES_LINES : 0) : 0;
}

/* Each row is for an address that occurs twice. */
static uint64_t rows_at_most(uint64_t singles)
{
	return singles / 2;
}

static uint64_t row_lines(const struct set_entries *e, uint64_t rows)
{
	return e->told ? rows / SETS_ROWS_TO_A_LINE + 1 : 0;
}

/* If ranges of several options overlap, there can be twice as many pieces. */
uint64_t set_table_lines(uint64_t singles, uint64_t ranges, const struct set_entries *e)
{
	return SETS_HEAD_LINES + ports_lines(e) + front_lines(singles) + table_lines(singles) +
	       front4_lines(2 * ranges) + front6_lines(blocks6_at_most(2 * ranges)) +
	       index_lines(2 * ranges) + 2 * ranges +
	       row_lines(e, rows_at_most(singles) + 2 * ranges);
}

/* The head as it lies in the map. */
struct parts {
	struct sets_head head;
	struct sets_search search;
};
_Static_assert(sizeof(struct parts) == SETS_HEAD_LINES * SETS_LINE, "one line each");

static void *line_at(void *map, uint32_t line)
{
	return (char *)map + (size_t)line * SETS_LINE;
}

static uint64_t new_seed(void)
{
	uint64_t seed;

	return getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == (ssize_t)sizeof(seed)
		       ? seed
		       : clock_monotonic() * 0x9e3779b97f4a7c15ull;
}

static void put_in_front(void *map, uint32_t front, uint32_t words, uint64_t hash)
{
	uint32_t word = SETS_BELOW(hash >> 32, words);

	((uint64_t *)line_at(map, front + word / 8))[word % 8] |= SETS_FRONT_BITS(hash);
}

/*
 * Put an address into its place or a free one. -ENOSPC: none is within reach. An application that
 * has dropped its privileges can write there meanwhile, so what is there is read only once.
 */
static int put(void *map, const struct parts *p, struct set_entries *e, const struct set_single *s)
{
	uint64_t hash = sets_hash(p->head.seed, s->address.half[0], s->address.half[1]);
	uint32_t at = SETS_BELOW(hash, p->search.table_lines);

	put_in_front(map, p->head.front, p->head.front_words, hash);
	for (unsigned i = 0; i < SETS_PROBES; i++) {
		struct sets_bucket *b = line_at(map, p->search.table + at);

		for (unsigned k = 0; k < SETS_PLACES; k++) {
			uint32_t info = __atomic_load_n(&b->info[k], __ATOMIC_RELAXED);
			int error;

			if (!info) {
				b->high[k] = s->address.half[0];
				b->low[k] = s->address.half[1];
				b->info[k] = s->info;
				return 0;
			}
			if (b->high[k] != s->address.half[0] || b->low[k] != s->address.half[1])
				continue;
			error = set_info_join(e, &info, s->info);
			b->info[k] = info;
			return error;
		}
		b->more = 1;
		at = at + 1 == p->search.table_lines ? 0 : at + 1;
	}
	return -ENOSPC;
}

static int put_all(void *map, struct parts *p, struct set_entries *e)
{
	size_t rows = e->rows.count;
	int error = -ENOSPC;

	for (unsigned tries = 0; tries < SEEDS && error == -ENOSPC; tries++) {
		p->head.seed = p->search.seed = new_seed();
		e->rows.count = rows;
		memset(line_at(map, p->head.front), 0, (size_t)p->head.front_words * 8);
		memset(line_at(map, p->search.table), 0, (size_t)p->search.table_lines * SETS_LINE);
		error = 0;
		for (size_t i = 0; i < e->singles && !error; i++)
			error = put(map, p, e, &e->single[i]);
	}
	return error;
}

/* Which block of 65536 IPv4 addresses it is in. */
static uint32_t part_of(const struct set_address *a)
{
	return (uint32_t)a->half[1] >> 16;
}

/* For each block of 65536 addresses, the ranges that reach into it. r: the first range of IPv4. */
static void index_ranges(void *map, const struct sets_search *h, const struct set_range *r)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < 65536; i++) {
		struct sets_index *x = line_at(map, h->index4 + i / 8);
		uint32_t last;

		while (first < h->ranges4_count && part_of(&r[first].to) < i)
			first++;
		for (last = first; last < h->ranges4_count && part_of(&r[last].from) <= i; last++)
			if (part_of(&r[last].to) > i) {
				last++;
				break;
			}
		x->of[i % 8].first = first;
		x->of[i % 8].count = last - first;
	}
}

/* Set the bits of all blocks from first to last. */
static void set_bits(uint64_t *words, uint32_t first, uint32_t last)
{
	while (first <= last) {
		if (first % 64 == 0 && last - first >= 63) {
			words[first / 64] = UINT64_MAX;
			first += 64;
		} else {
			words[first / 64] |= 1ull << first % 64;
			first++;
		}
	}
}

static void put_ranges_in_front(void *map, const struct sets_head *h, const struct set_range *r,
				size_t count)
{
	memset(line_at(map, h->front4), 0, h->front4 ? (1ull << (32 - h->shift4)) / 8 : 0);
	memset(line_at(map, h->front6), 0, (size_t)h->front6_words * 8);
	for (size_t i = 0; i < count; i++) {
		uint64_t from = r[i].from.half[0] >> h->shift6, to = r[i].to.half[0] >> h->shift6;

		if (set_address_is_ipv4(&r[i].from))
			set_bits(line_at(map, h->front4), (uint32_t)r[i].from.half[1] >> h->shift4,
				 (uint32_t)r[i].to.half[1] >> h->shift4);
		else
			/* Counted this way because the last block may be UINT64_MAX. */
			for (uint64_t more = 0; more <= to - from; more++)
				put_in_front(map, h->front6, h->front6_words,
					     sets_hash(h->seed, 0, from + more));
	}
}

static void write_ranges(void *map, const struct sets_search *h, const struct set_range *r,
			 size_t count)
{
	struct sets_range4 *r4 = line_at(map, h->ranges4);
	struct sets_range6 *r6 = line_at(map, h->ranges6);
	size_t before4 = 0;

	while (before4 < count && !set_address_is_ipv4(&r[before4].from))
		before4++;
	for (size_t i = 0; i < count; i++)
		if (set_address_is_ipv4(&r[i].from))
			*r4++ = (struct sets_range4){.from = (uint32_t)r[i].from.half[1],
						     .to = (uint32_t)r[i].to.half[1],
						     .info = r[i].info};
		else
			*r6++ = (struct sets_range6){.from = {r[i].from.half[0], r[i].from.half[1]},
						     .to = {r[i].to.half[0], r[i].to.half[1]},
						     .info = r[i].info};
	if (h->index4)
		index_ranges(map, h, r + before4);
}

/* The byte of the first protocol is the lowest one, whatever the byte order. */
static void write_ports(void *map, const struct sets_head *h, const struct set_ports *ports)
{
	uint64_t *to = line_at(map, h->ports);

	for (uint32_t port = 0; port < 65536; port++) {
		to[port] = 0;
		for (unsigned i = 0; i < SETS_PROTOCOLS; i++)
			to[port] |= (uint64_t)ports->of[port][i] << 8 * i;
	}
	if (h->port_lines)
		memcpy(line_at(map, h->port_lines), ports->lines, sizeof(ports->lines));
}

/* Choose the smallest blocks of IPv6 such that the ranges reach into few enough. Returns how
 * many. */
static uint64_t count_blocks6(uint32_t *shift, const struct set_range *r, size_t count,
			      uint64_t ranges6)
{
	uint64_t most = blocks6_at_most(ranges6), blocks;

	for (*shift = 0;; ++*shift) {
		blocks = 0;
		for (size_t i = 0; i < count && blocks <= most; i++) {
			uint64_t more = (r[i].to.half[0] >> *shift) - (r[i].from.half[0] >> *shift);

			if (!set_address_is_ipv4(&r[i].from))
				blocks += more < most ? more + 1 : most + 1;
		}
		if (blocks <= most || *shift == SHIFT6_MOST)
			return blocks;
	}
}

/* Reserve this many lines for the next part, and return the first; 0: the part is empty. */
static uint32_t take_lines(uint64_t *at, uint64_t lines)
{
	uint32_t first = lines ? (uint32_t)*at : 0;

	*at += lines;
	return first;
}

/* Choose where each part is. Returns the line behind all of them. */
static uint64_t lay_out(struct parts *p, uint32_t first, const struct set_entries *e,
			const struct set_range *r, size_t ranges)
{
	struct sets_head *h = &p->head;
	struct sets_search *s = &p->search;
	uint64_t at = (uint64_t)first + SETS_HEAD_LINES, blocks;

	for (size_t i = 0; i < ranges; i++)
		s->ranges4_count += set_address_is_ipv4(&r[i].from);
	s->ranges6_count = (uint32_t)ranges - s->ranges4_count;
	blocks = s->ranges6_count ? count_blocks6(&h->shift6, r, ranges, s->ranges6_count) : 0;
	h->front_words = (uint32_t)front_lines(e->singles) * 8;
	h->front = take_lines(&at, front_lines(e->singles));
	h->shift4 = shift4_of(s->ranges4_count);
	h->front4 = take_lines(&at, front4_lines(s->ranges4_count));
	h->front6_words = (uint32_t)front6_lines(blocks) * 8;
	h->front6 = take_lines(&at, front6_lines(blocks));
	s->table_lines = (uint32_t)table_lines(e->singles);
	s->table = take_lines(&at, s->table_lines);
	s->index4 = take_lines(&at, index_lines(s->ranges4_count));
	s->ranges4 = take_lines(&at, (s->ranges4_count + SETS_RANGES4_TO_A_LINE - 1) /
					     SETS_RANGES4_TO_A_LINE);
	s->ranges6 = take_lines(&at, s->ranges6_count);
	h->ports = take_lines(&at, e->ports ? SETS_PORTS_LINES : 0);
	h->port_lines = take_lines(&at, e->ports && e->told ? SETS_PORT_LINES_LINES : 0);
	h->rows = e->told ? (uint32_t)at : 0;
	return at + row_lines(e, e->rows.count + rows_at_most(e->singles));
}

int set_table_write(void *map, uint32_t first, uint32_t lines, struct set_entries *e)
{
	struct parts p = {.head = {.seed = 0}};
	struct set_range *r;
	size_t ranges;
	int error = set_ranges_flatten(e, &r, &ranges);

	if (!error && lay_out(&p, first, e, r, ranges) > (uint64_t)first + lines)
		error = -ENOSPC;
	if (!error)
		error = put_all(map, &p, e);
	/* Never more, unless somebody else has written into the map. */
	if (!error && p.head.rows &&
	    p.head.rows + row_lines(e, e->rows.count) > (uint64_t)first + lines)
		error = -EBADMSG;
	if (!error) {
		put_ranges_in_front(map, &p.head, r, ranges);
		write_ranges(map, &p.search, r, ranges);
		if (e->ports)
			write_ports(map, &p.head, e->ports);
		if (p.head.rows && e->rows.count)
			memcpy(line_at(map, p.head.rows), e->rows.at,
			       e->rows.count * sizeof(*e->rows.at));
		memcpy(line_at(map, first), &p, sizeof(p));
	}
	free(r);
	return error;
}
