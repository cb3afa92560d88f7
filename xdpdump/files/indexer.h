/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Makes the index of a file of ours while it is written, from the blocks in memory:
 * docs/index-format.md. No file is worse for an index that could not be made.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct indexer;

/* Of one file. NULL: no memory. */
struct indexer *indexer_open(void);
/*
 * What follows is compressed, and can be read without what is in front of it: from this place in
 * the file on.
 */
void indexer_frame(struct indexer *x, uint64_t start);
/* Whole blocks were written behind those before. */
void indexer_take(struct indexer *x, const void *blocks, size_t length);
/* The file is not what was said here: it gets no index. */
void indexer_give_up(struct indexer *x);
/* Bytes of the index, as it is so far. */
uint64_t indexer_size(const struct indexer *x);
/* The most that it can come to have, of so many bytes of blocks. */
uint64_t indexer_most(uint64_t length);
/* Beside the file of this name, which is whole and the same as fd. 0 or -errno. */
int indexer_store(struct indexer *x, const char *name, int fd);
/* What is of no use without the file of this name; the second one: if that is gone. */
void indexer_remove(const char *name);
void indexer_remove_orphan(const char *name);
/* NULL is allowed. */
void indexer_close(struct indexer *x);
