/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdlib.h>
#include <string.h>

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
	uint8_t *more = NULL;

	if (b->used + n <= BEGINNING_MAX && (!is_key || b->keys + n <= KEYS_MAX))
		more = realloc(b->bytes, b->used + n);
	b->is_incomplete |= !more && !is_key;
	if (!more)
		return;
	b->bytes = more;
	memcpy(more + b->used, block, n);
	b->used += n;
	b->keys += is_key ? n : 0;
}

void beginning_reset(struct beginning *b)
{
	b->used = b->keys = 0;
	b->is_incomplete = false;
}

void beginning_free(struct beginning *b)
{
	free(b->bytes);
	*b = (struct beginning){.bytes = NULL};
}
