/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "table.h"
#include "util/clock.h"

#define FRONT_BITS_EACH 16u /* of these two are set: 1 of 70 addresses comes through in vain */
#define INDEX_FROM	64u /* IPv4 ranges */
#define SEEDS		8

/* A bucket with three places for 1.5 addresses. */
static uint64_t table_lines(uint64_t singles)
{
	return singles ? singles * 2 / SETS_PLACES + 4 : 0;
}

static uint64_t front_lines(uint64_t singles)
{
	return singles ? singles * FRONT_BITS_EACH / (SETS_LINE * 8) + 1 : 0;
}

static uint64_t index_lines(uint64_t ranges4)
{
	return ranges4 > INDEX_FROM ? SETS_INDEX_LINES : 0;
}

/* Where ranges of several options overlap, they become twice as many at most. */
uint64_t set_table_lines(uint64_t singles, uint64_t ranges, bool ports)
{
	return 1 + (ports ? SETS_PORTS_LINES : 0) + front_lines(singles) + table_lines(singles) +
	       index_lines(2 * ranges) + 2 * ranges;
}

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

/* The place of this address, or a free one. NULL: there is none in reach. */
static bool put(void *map, const struct sets_head *h, const struct set_single *s)
{
	uint64_t hash = sets_hash(h->seed, s->address.half[0], s->address.half[1]);
	uint32_t at = SETS_BELOW(hash, h->table_lines);
	uint32_t word = SETS_BELOW(hash >> 32, h->front_words);

	((uint64_t *)line_at(map, h->front + word / 8))[word % 8] |= SETS_FRONT_BITS(hash);
	for (unsigned i = 0; i < SETS_PROBES; i++) {
		struct sets_bucket *b = line_at(map, h->table + at);

		for (unsigned k = 0; k < SETS_PLACES; k++) {
			if (!b->info[k]) {
				b->high[k] = s->address.half[0];
				b->low[k] = s->address.half[1];
				b->info[k] = s->info;
				return true;
			}
			if (b->high[k] == s->address.half[0] && b->low[k] == s->address.half[1]) {
				b->info[k] |= SETS_INFO(SETS_BITS(s->info), 0);
				return true;
			}
		}
		b->more = 1;
		at = at + 1 == h->table_lines ? 0 : at + 1;
	}
	return false;
}

static int put_all(void *map, struct sets_head *h, const struct set_entries *e)
{
	size_t done = 0;

	for (unsigned tries = 0; tries < SEEDS && done < e->singles; tries++) {
		h->seed = new_seed();
		memset(line_at(map, h->front), 0, (size_t)h->front_words * 8);
		memset(line_at(map, h->table), 0, (size_t)h->table_lines * SETS_LINE);
		for (done = 0; done < e->singles; done++)
			if (!put(map, h, &e->single[done]))
				break;
	}
	return done < e->singles ? -ENOSPC : 0;
}

/* Those that reach into each 65536th of the addresses. */
static void index_ranges(void *map, const struct sets_head *h)
{
	const struct sets_range4 *r = line_at(map, h->ranges4);
	uint32_t first = 0;

	for (uint32_t i = 0; i < 65536; i++) {
		struct sets_index *x = line_at(map, h->index4 + i / 8);
		uint32_t last;

		while (first < h->ranges4_count && r[first].to >> 16 < i)
			first++;
		for (last = first; last < h->ranges4_count && r[last].from >> 16 <= i; last++)
			if (r[last].to >> 16 > i) {
				last++;
				break;
			}
		x->of[i % 8].first = first;
		x->of[i % 8].count = last - first;
	}
}

static void write_ranges(void *map, const struct sets_head *h, const struct set_range *r,
			 size_t count)
{
	struct sets_range4 *r4 = line_at(map, h->ranges4);
	struct sets_range6 *r6 = line_at(map, h->ranges6);

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
		index_ranges(map, h);
}

/* The byte of the first protocol is the lowest, whatever the order of bytes. */
static void write_ports(void *map, const struct sets_head *h, const struct set_ports *ports)
{
	uint64_t *to = line_at(map, h->ports);

	for (uint32_t port = 0; port < 65536; port++) {
		to[port] = 0;
		for (unsigned i = 0; i < SETS_PROTOCOLS; i++)
			to[port] |= (uint64_t)ports->of[port][i] << 8 * i;
	}
}

/* Where each part is. Returns the line behind all of them. */
static uint64_t lay_out(struct sets_head *h, uint32_t first, const struct set_entries *e,
			const struct set_range *r, size_t ranges)
{
	uint64_t at = (uint64_t)first + 1, singles = e->singles;

	for (size_t i = 0; i < ranges; i++)
		h->ranges4_count += set_address_is_ipv4(&r[i].from);
	h->ranges6_count = (uint32_t)ranges - h->ranges4_count;
	h->front = (uint32_t)at;
	h->front_words = (uint32_t)front_lines(singles) * 8;
	at += front_lines(singles);
	h->table = (uint32_t)at;
	h->table_lines = (uint32_t)table_lines(singles);
	at += table_lines(singles);
	h->index4 = index_lines(h->ranges4_count) ? (uint32_t)at : 0;
	at += index_lines(h->ranges4_count);
	h->ranges4 = (uint32_t)at;
	at += (h->ranges4_count + SETS_RANGES4_TO_A_LINE - 1) / SETS_RANGES4_TO_A_LINE;
	h->ranges6 = (uint32_t)at;
	at += h->ranges6_count;
	h->ports = e->ports ? (uint32_t)at : 0;
	return at + (e->ports ? SETS_PORTS_LINES : 0);
}

int set_table_write(void *map, uint32_t first, uint32_t lines, struct set_entries *e)
{
	struct sets_head h = {.seed = 0};
	struct set_range *r;
	size_t ranges;
	int error = set_ranges_flatten(e, &r, &ranges);

	if (!error && lay_out(&h, first, e, r, ranges) > (uint64_t)first + lines)
		error = -ENOSPC;
	if (!error)
		error = put_all(map, &h, e);
	if (!error) {
		write_ranges(map, &h, r, ranges);
		if (e->ports)
			write_ports(map, &h, e->ports);
		memcpy(line_at(map, first), &h, sizeof(h));
	}
	free(r);
	return error;
}
