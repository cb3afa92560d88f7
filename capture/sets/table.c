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

static uint64_t ports_lines(const struct set_entries *e)
{
	return e->ports ? SETS_PORTS_LINES + (e->told ? SETS_PORT_LINES_LINES : 0) : 0;
}

/* Each is of an address that is there twice. */
static uint64_t rows_at_most(uint64_t singles)
{
	return singles / 2;
}

static uint64_t row_lines(const struct set_entries *e, uint64_t rows)
{
	return e->told ? rows / SETS_ROWS_TO_A_LINE + 1 : 0;
}

/* Where ranges of several options overlap, they become twice as many at most. */
uint64_t set_table_lines(uint64_t singles, uint64_t ranges, const struct set_entries *e)
{
	return 1 + ports_lines(e) + front_lines(singles) + table_lines(singles) +
	       index_lines(2 * ranges) + 2 * ranges +
	       row_lines(e, rows_at_most(singles) + 2 * ranges);
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

/*
 * In the place of this address, or in a free one. -ENOSPC: there is none in reach. An application
 * that has dropped its privileges can write there meanwhile: what stands there is read once.
 */
static int put(void *map, const struct sets_head *h, struct set_entries *e,
	       const struct set_single *s)
{
	uint64_t hash = sets_hash(h->seed, s->address.half[0], s->address.half[1]);
	uint32_t at = SETS_BELOW(hash, h->table_lines);
	uint32_t word = SETS_BELOW(hash >> 32, h->front_words);

	((uint64_t *)line_at(map, h->front + word / 8))[word % 8] |= SETS_FRONT_BITS(hash);
	for (unsigned i = 0; i < SETS_PROBES; i++) {
		struct sets_bucket *b = line_at(map, h->table + at);

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
		at = at + 1 == h->table_lines ? 0 : at + 1;
	}
	return -ENOSPC;
}

static int put_all(void *map, struct sets_head *h, struct set_entries *e)
{
	size_t done = 0, rows = e->rows.count;
	int error = e->singles ? -ENOSPC : 0;

	for (unsigned tries = 0; tries < SEEDS && error == -ENOSPC; tries++) {
		h->seed = new_seed();
		e->rows.count = rows;
		memset(line_at(map, h->front), 0, (size_t)h->front_words * 8);
		memset(line_at(map, h->table), 0, (size_t)h->table_lines * SETS_LINE);
		error = 0;
		for (done = 0; done < e->singles && !error; done++)
			error = put(map, h, e, &e->single[done]);
	}
	return error;
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
	if (h->port_lines)
		memcpy(line_at(map, h->port_lines), ports->lines, sizeof(ports->lines));
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
	h->port_lines = e->ports && e->told ? (uint32_t)at + SETS_PORTS_LINES : 0;
	at += ports_lines(e);
	h->rows = e->told ? (uint32_t)at : 0;
	return at + row_lines(e, e->rows.count + rows_at_most(singles));
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
	/* Never more, unless somebody else has written into the map. */
	if (!error && h.rows && h.rows + row_lines(e, e->rows.count) > (uint64_t)first + lines)
		error = -EBADMSG;
	if (!error) {
		write_ranges(map, &h, r, ranges);
		if (e->ports)
			write_ports(map, &h, e->ports);
		if (h.rows && e->rows.count)
			memcpy(line_at(map, h.rows), e->rows.at,
			       e->rows.count * sizeof(*e->rows.at));
		memcpy(line_at(map, first), &h, sizeof(h));
	}
	free(r);
	return error;
}
