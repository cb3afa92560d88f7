/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Shortens blocks whose options are too long for a section. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pcapng/read.h"
#include "util/buffer.h"

/*
 * Appends the block, whose options begin `fixed` bytes into its body. If it has more than `most`
 * bytes, options are left out; those that say what its numbers mean are kept first. Returns 1 if it
 * was shortened, 0 or -ENOMEM.
 */
int shorten(struct buffer *to, const struct pcapng_block *b, uint32_t fixed, size_t most);
