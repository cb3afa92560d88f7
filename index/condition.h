/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What an expression requires of the keys of a granule. If that is not met, no packet of the
 * granule matches. Parts of the expression that are not understood here require nothing.
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

/* text: NULL: no expression. If the text is not understood, nothing is required. */
void condition_read(struct condition *c, const char *text);
/* Does it require any key? If not, an index only helps with times. */
bool condition_has_keys(const struct condition *c);
/* condition_may(): may a packet match, if has() tells for each key whether some packet has it? */
typedef bool condition_has(const void *context, uint32_t key);
bool condition_may(const struct condition *c, condition_has *has, const void *context);
/* Sets a bit for each granule that may have a matching packet. granules: (x->granules + 63) / 64
 * words, all 0. Returns 0, -ENOMEM, or errors as index_find(). */
int condition_find(const struct condition *c, const struct index *x, uint64_t *granules);
