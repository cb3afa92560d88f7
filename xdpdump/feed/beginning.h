/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a new reader of a stream gets first: the blocks of the current section that packets need. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"

struct beginning {
	struct buffer blocks;
	size_t keys;	    /* bytes of key blocks */
	bool is_incomplete; /* it would be too long: there can be no new reader */
};

/* Is a block of this type part of it? */
bool beginning_has(uint32_t type);
/*
 * Add such a block. Keys that come when there is no more room for them go only to readers that are
 * there by then.
 */
void beginning_add(struct beginning *b, const void *block, size_t n, uint32_t type);
/* A section begins: start over, for readers that come from now on. */
void beginning_reset(struct beginning *b);
void beginning_free(struct beginning *b);
