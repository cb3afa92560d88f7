/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What an expression asks of the keys of a granule: where it is not met, no packet of the granule
 * matches. Whatever of the expression is not understood here asks for nothing.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "index/format.h"

#define CONDITION_NODES 256u

struct condition_node {
	enum { CONDITION_ANY, CONDITION_KEY, CONDITION_AND, CONDITION_OR } kind;
	uint32_t key;
	unsigned of[2];
};

struct condition {
	struct condition_node node[CONDITION_NODES];
	unsigned nodes, root;
};

/* text: NULL: no expression. */
void condition_read(struct condition *c, const char *text);
/* Does it ask for something? Else an index tells times alone. */
bool condition_has_keys(const struct condition *c);
/* Of keys that are asked for one by one: may a packet that has some of them match? */
typedef bool condition_has(const void *context, uint32_t key);
bool condition_may(const struct condition *c, condition_has *has, const void *context);
/* A bit for each granule that may have a packet: (granules + 63) / 64 words, which are 0. 0 or as
 * index_find(). */
int condition_find(const struct condition *c, const struct index *x, uint64_t *granules);
