/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What a reader of a stream gets first, whenever it comes: the blocks that packets need, of the
 * section that goes on.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buffer.h"

struct beginning {
	struct buffer blocks;
	size_t keys;	    /* bytes of these */
	bool is_incomplete; /* as it would be too long: there can be no new reader */
};

/* Is a block of this type part of it? */
bool beginning_has(uint32_t type);
/* Such a block. Of keys, what comes late is for those alone who are there. */
void beginning_add(struct beginning *b, const void *block, size_t n, uint32_t type);
/* A section begins, for those who come from here on. */
void beginning_reset(struct beginning *b);
void beginning_free(struct beginning *b);
