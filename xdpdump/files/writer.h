/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A thread that writes pcapng blocks to a file, compressed or not, while the reader of packets goes
 * on. Each piece that it writes ends with a whole block.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define WRITER_PIECE (1u << 20) /* most bytes of a piece; several times the largest block */

struct writer;
struct sink;
struct zstd;

/*
 * z: how to compress, owned by the writer; NULL: no compression. Returns 0, or -errno without
 * memory or threads.
 */
int writer_open(struct writer **w, struct zstd *z);
/* A file begins. The writer takes over the sink. */
void writer_begin(struct writer *w, struct sink *s);
/*
 * Copies whole blocks, and waits if the thread is behind. Returns 0; -errno: an earlier write has
 * failed, and the file ends with the last whole block that fitted; -EINTR as sink_write();
 * -EBADMSG: blocks has no whole block.
 */
int writer_write(struct writer *w, const void *blocks, size_t length);
/*
 * The thread writes what it was given as soon as it has written what came before. Otherwise it
 * waits until a piece is full or a second old.
 */
void writer_flush(struct writer *w);
/* Packets and bytes that were written to the present file. After an error they stay as they are. */
void writer_count(struct writer *w, uint64_t *packets, uint64_t *bytes);
/* Waits until all is written, and moves the sink to *s, also after an error. 0 or -errno. */
int writer_end(struct writer *w, struct sink *s);
/* What was not written yet is lost. NULL is allowed. */
void writer_close(struct writer *w);
