/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "beginning.h"
#include "pcapng/format.h"

#define BEGINNING_MAX (4u << 20)
#define KEYS_MAX      (1u << 20) /* of that */

bool beginning_has(uint32_t type)
{
	return type == BLOCK_SECTION || type == BLOCK_INTERFACE || type == BLOCK_SECRETS ||
	       type == BLOCK_PROCESS;
}

void beginning_add(struct beginning *b, const void *block, size_t n, uint32_t type)
{
	bool is_key = type == BLOCK_SECRETS;
	bool fits = b->blocks.used + n <= BEGINNING_MAX && (!is_key || b->keys + n <= KEYS_MAX);
	bool is_added = fits && buffer_append(&b->blocks, block, n) == 0;

	b->is_incomplete |= !is_added && !is_key;
	b->keys += is_added && is_key ? n : 0;
}

void beginning_reset(struct beginning *b)
{
	b->blocks.used = b->keys = 0;
	b->is_incomplete = false;
}

void beginning_free(struct beginning *b)
{
	buffer_free(&b->blocks);
}
