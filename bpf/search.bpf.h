/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* For an address that may be in the sets: is it, and what is known of it? sets.h has the layout. */
#pragma once

#include "table.bpf.h"

/* For sets_find(), whose key must be on its own stack. */
static __always_inline const void *find_line(__u32 i)
{
	return bpf_map_lookup_elem(&sets, &i);
}

/* Looks among the single addresses. 0: it is not there. */
static __always_inline __u32 find_single(const struct sets_search *h, __u64 high, __u64 low)
{
	__u32 at = SETS_BELOW(sets_hash(h->seed, high, low), h->table_lines);

	for (__u32 i = 0; i < SETS_PROBES; i++) {
		const struct sets_bucket *b = find_line(h->table + at);

		if (!b)
			return 0;
		for (__u32 k = 0; k < SETS_PLACES; k++)
			if (b->low[k] == low && b->high[k] == high && b->info[k])
				return b->info[k];
		if (!b->more)
			return 0;
		if (++at == h->table_lines)
			at = 0;
	}
	return 0;
}

static __always_inline const struct sets_range4 *range4(const struct sets_search *h, __u32 i)
{
	const struct sets_range4 *line = find_line(h->ranges4 + i / SETS_RANGES4_TO_A_LINE);

	return line ? line + i % SETS_RANGES4_TO_A_LINE : (void *)0;
}

static __always_inline __u32 find_range4(const struct sets_search *h, __u32 a)
{
	__u32 first = 0, count = h->ranges4_count;
	const struct sets_index *index;
	const struct sets_range4 *r;

	if (h->index4) {
		index = find_line(h->index4 + (a >> 19));
		if (!index)
			return 0;
		first = index->of[a >> 16 & 7].first;
		count = index->of[a >> 16 & 7].count;
	}
	for (__u32 i = 0; i < SETS_STEPS && count > 1; i++) {
		r = range4(h, first + count / 2);
		if (!r)
			return 0;
		if (r->from <= a)
			first += count / 2;
		count -= count / 2;
	}
	r = count ? range4(h, first) : (void *)0;
	return r && r->from <= a && a <= r->to ? r->info : 0;
}

static __always_inline int is_up_to(const __u64 *a, __u64 high, __u64 low)
{
	return a[0] < high || (a[0] == high && a[1] <= low);
}

static __always_inline __u32 find_range6(const struct sets_search *h, __u64 high, __u64 low)
{
	__u32 first = 0, count = h->ranges6_count;
	const struct sets_range6 *r;

	for (__u32 i = 0; i < SETS_STEPS && count > 1; i++) {
		r = find_line(h->ranges6 + first + count / 2);
		if (!r)
			return 0;
		if (is_up_to(r->from, high, low))
			first += count / 2;
		count -= count / 2;
	}
	r = count ? find_line(h->ranges6 + first) : (void *)0;
	if (!r || !is_up_to(r->from, high, low))
		return 0;
	return high < r->to[0] || (high == r->to[0] && low <= r->to[1]) ? r->info : 0;
}

static __always_inline __u32 find_range(const struct sets_search *h, __u64 high, __u64 low)
{
	if (!high && low >> 32 == SETS_IPV4 >> 32)
		return h->ranges4_count ? find_range4(h, low) : 0;
	return h->ranges6_count ? find_range6(h, high, low) : 0;
}

/* Where an address may be found. */
#define SETS_IN_SINGLES 1u
#define SETS_IN_RANGES	2u

/*
 * Returns what is known of an address, SETS_INFO(), in the set whose head is in this line: the bits
 * of all its entries, and the line number of the single address if there is one. where:
 * SETS_IN_..., according to the bits in front. It is a global function, so the verifier goes
 * through it once, not for each call. There, Linux 5.10 accepts only numbers as arguments, and
 * kernels before 6.8 verify it even if nothing calls it.
 */
__attribute__((noinline)) __u32 sets_find(__u64 high, __u64 low, __u32 head, __u32 where)
{
	const struct sets_search *h;
	__u32 single = 0, range = 0;

	if (!SETS_ADDRESSES_ASKED(sets_asked))
		return 0;
	h = find_line(head + 1);
	if (!h)
		return 0;
	if (where & SETS_IN_SINGLES)
		single = find_single(h, high, low);
	if (where & SETS_IN_RANGES)
		range = find_range(h, high, low);
	return single ? single | SETS_INFO(SETS_BITS(range), 0) : range;
}
