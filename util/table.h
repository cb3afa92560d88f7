/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Finds one of many things by its contents. The hash is SipHash-1-3 with a key that is drawn once
 * per run, so somebody who writes into a topic cannot make things whose hashes collide. Therefore
 * things with the same hash are taken to be the same.
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
/* Includes the final 0, so that "ab", "c" is not the same as "a", "bc". */
void hash_text(struct hash *h, const char *text);
uint64_t hash_end(struct hash *h);

#define TABLE_NONE SIZE_MAX
/* Returns what was put there, or TABLE_NONE. */
size_t table_find(const struct table *t, uint64_t hash);
/* Put something that is not there yet. Returns 0 or -ENOMEM. */
int table_put(struct table *t, uint64_t hash, size_t what);
void table_free(struct table *t);
