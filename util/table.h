/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Finds a thing among many by what it holds. Its hash is SipHash-1-3 with a key that is drawn once
 * a run: who writes into a topic cannot make things that all have one hash. So things that have the
 * same hash are the same.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct table_slot;

struct table {
	struct table_slot *slot;
	size_t room, count;
};

struct hash {
	uint64_t v[4], part;
	size_t length;
};

void hash_begin(struct hash *h);
void hash_add(struct hash *h, const void *bytes, size_t length);
/* With the 0 at its end, so that "ab", "c" is not "a", "bc". */
void hash_text(struct hash *h, const char *text);
uint64_t hash_end(struct hash *h);

#define TABLE_NONE SIZE_MAX
/* What was put there, or TABLE_NONE. */
size_t table_find(const struct table *t, uint64_t hash);
/* One that is not there. 0 or -ENOMEM. */
int table_put(struct table *t, uint64_t hash, size_t what);
void table_free(struct table *t);
