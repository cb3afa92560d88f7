/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A thread that writes pcapng blocks to a file, as they are or compressed, while the reader of
 * packets goes on. Each piece that it writes ends with a whole block.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define WRITER_PIECE (1u << 20) /* at most; holds any block several times */

struct writer;
struct sink;
struct zstd;

/* z: how to compress, owned by the writer; NULL: not. -errno, of memory or threads. */
int writer_open(struct writer **w, struct zstd *z);
/* A file begins. The writer owns the sink. */
void writer_begin(struct writer *w, struct sink *s);
/*
 * Whole blocks are copied, and wait for the thread if it is behind. -errno: an earlier write has
 * failed; the file then ends with the last whole block that fitted. -EINTR as sink_write().
 */
int writer_write(struct writer *w, const void *blocks, size_t length);
/*
 * What was taken is written as soon as the thread has done with what was before. Without this,
 * pieces are full, or a second old.
 */
void writer_flush(struct writer *w);
/* Packets and bytes of the present file that are written. Once something has failed, for good. */
void writer_count(struct writer *w, uint64_t *packets, uint64_t *bytes);
/* Waits until all is written. The sink, whatever happened, goes to *s. */
int writer_end(struct writer *w, struct sink *s);
/* What was not written is lost; NULL is allowed. */
void writer_close(struct writer *w);
