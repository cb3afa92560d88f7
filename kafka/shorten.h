/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Blocks that have too many options for a section are kept with fewer. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pcapng/read.h"
#include "util/buffer.h"

/*
 * Append the block, whose options begin so many bytes into its body: all of it, or as many options
 * as make so many bytes at most, and first of all those that say what its numbers mean. 1: it is
 * shorter. 0 or -ENOMEM.
 */
int shorten(struct buffer *to, const struct pcapng_block *b, uint32_t fixed, size_t most);
