/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Makes the index of a file while we write it, from the blocks in memory: docs/index-format.md. A
 * failure to make an index never harms the file.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct indexer;

/* For one file. Returns NULL without memory. */
struct indexer *indexer_open(void);
/*
 * From start in the file on, the blocks that follow are compressed, and can be read without what
 * precedes them.
 */
void indexer_frame(struct indexer *x, uint64_t start);
/* Whole blocks were appended to the file. */
void indexer_take(struct indexer *x, const void *blocks, size_t length);
/* The file differs from what was passed here, so it gets no index. */
void indexer_give_up(struct indexer *x);
/* Bytes of the index so far. */
uint64_t indexer_size(const struct indexer *x);
/* The largest size of an index for this many bytes of blocks. */
uint64_t indexer_most(uint64_t length);
/* Write the index beside the file of this name, which is whole, and open as fd. 0 or -errno. */
int indexer_store(struct indexer *x, const char *name, int fd);
/* Remove the index of the file with this name; the second: only if that file no longer exists. */
void indexer_remove(const char *name);
void indexer_remove_orphan(const char *name);
/* NULL is allowed. */
void indexer_close(struct indexer *x);
