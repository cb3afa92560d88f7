/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pcapng blocks, compressed by a thread of its own. What is written ends with a whole block each
 * time, so that all of it can be read, whatever happens then. A file is one zstd frame, as
 * Wireshark up to 4.4 loses its way behind the first. Or it is seekable: independent frames and a
 * table of them at the end, as in zstd's contrib/seekable_format.
 */
#ifndef XDPDUMP_COMPRESS_H
#define XDPDUMP_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPRESS_LEVEL_DEFAULT 3
#define COMPRESS_LEVEL_MAX     19 /* beyond, it takes gigabytes */

struct compressor;
struct sink;

/* Is the library in this build? */
bool compressor_is_built(void);
/* -errno, of memory or threads. */
int compressor_open(struct compressor **c, int level, bool seekable);
/* A file begins. The sink is taken over. */
void compressor_begin(struct compressor *c, struct sink *s);
/*
 * Whole blocks are taken over, and wait for the thread if it is behind. -errno: an earlier write
 * has failed; the file then ends with what was written before. -EINTR as sink_write().
 */
int compressor_write(struct compressor *c, const void *blocks, size_t length);
/* What was taken is written; without this, it is so after a second at the latest. */
void compressor_flush(struct compressor *c);
/* Packets and bytes of the present file that are written. Once something has failed, for good. */
void compressor_count(struct compressor *c, uint64_t *packets, uint64_t *bytes);
/* Waits until all is written, the table too. The sink, whatever happened, goes to *s. */
int compressor_end(struct compressor *c, struct sink *s);
/* What was not written is lost; NULL is allowed. */
void compressor_close(struct compressor *c);

#endif
