/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Is a flow left out? flows.h has the layout; the library writes it. */
#pragma once

#include "table.bpf.h"

static __always_inline int flow_is_at(const struct flows_line *l, const struct flows_key *k)
{
	return l->key.address[0][1] == k->address[0][1] &&
	       l->key.address[1][1] == k->address[1][1] && l->key.ports == k->ports &&
	       l->key.address[0][0] == k->address[0][0] &&
	       l->key.address[1][0] == k->address[1][0] && l->key.protocol == k->protocol;
}

/* Is the flow in the half with this head? key: see table_line(). */
static __always_inline int flow_find(const struct flows_key *k, __u32 *key, __u32 head)
{
	const struct flows_head *h = table_line(key, head);
	const struct sets_line *front;
	__u64 hash, bits;
	__u32 at, step, word;

	if (!h)
		return 0;
	hash = flows_hash(h->seed, k);
	bits = SETS_FRONT_BITS(hash);
	word = SETS_BELOW(hash >> 32, h->front_words);
	front = table_line(key, h->front + word / 8);
	if (!front || (front->word[word % 8] & bits) != bits)
		return 0;
	at = SETS_BELOW(hash, h->table_lines);
	step = FLOWS_STEP(hash, h->table_lines);
	for (__u32 i = 0; i < FLOWS_PROBES; i++) {
		const struct flows_line *l = table_line(key, h->table + at);
		__u32 state = l ? READ_ONCE(l->state) : FLOWS_FREE;

		if (state == FLOWS_FREE)
			return 0;
		if (state == FLOWS_STOPPED && flow_is_at(l, k))
			return 1;
		at += step++;
		if (at >= h->table_lines)
			at -= h->table_lines;
	}
	return 0;
}
