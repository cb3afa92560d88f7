/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "sink.h"
#include "util/buffer.h"
#include "zstd_file.h"

/*
 * The table of zstd_seekable_compression_format.md, version 0.1.0: magic number and size of a
 * skippable frame, two 32-bit sizes for each frame, the number of frames, a byte of flags, and a
 * magic number at the very end. All numbers are little-endian.
 */
#define SKIPPABLE_MAGIC 0x184D2A5Eu
#define SEEKABLE_MAGIC	0x8F92EAB1u
#define FRAMES_MAX	0x8000000u /* zstd's own limit */
#define HEADER_SIZE	8u
#define ENTRY_SIZE	8u
#define FOOTER_SIZE	9u

/* An empty last block of a frame: it ends a frame properly after an error. */
static const uint8_t last_block[] = {1, 0, 0};

struct zstd {
	ZSTD_CCtx *context;
	bool seekable, table_is_whole;
	struct buffer table; /* of frames, at the end of a file, in a frame that decoders skip */
	size_t room;
	uint8_t *out; /* the compressed piece */
};

/* Without memory there is no table: the file is valid without it. */
static void put(struct zstd *z, uint32_t value)
{
	value = htole32(value);
	z->table_is_whole &= buffer_append(&z->table, &value, sizeof(value)) == 0;
}

static void begin_table(struct zstd *z)
{
	z->table.used = 0;
	z->table_is_whole = z->seekable;
	put(z, SKIPPABLE_MAGIC);
	put(z, 0); /* its length is filled in at the end */
}

bool zstd_is_built(void)
{
	return true;
}

int zstd_open(struct zstd **out, int level, bool seekable, size_t size)
{
	struct zstd *z = calloc(1, sizeof(*z));

	if (!z)
		return -ENOMEM;
	z->seekable = seekable;
	begin_table(z);
	z->room = ZSTD_compressBound(size) + ZSTD_CStreamOutSize();
	z->out = malloc(z->room);
	z->context = ZSTD_createCCtx();
	if (!z->out || !z->context) {
		zstd_close(z);
		return -ENOMEM;
	}
	ZSTD_CCtx_setParameter(z->context, ZSTD_c_compressionLevel, level);
	/* A single frame that is cut off would lack its checksum. */
	ZSTD_CCtx_setParameter(z->context, ZSTD_c_checksumFlag, seekable);
	*out = z;
	return 0;
}

static int write_or_cut(struct sink *s, const void *bytes, size_t n)
{
	uint64_t before = s->written;
	struct iovec iov = {(void *)bytes, n};
	int e = sink_write(s, &iov, 1);

	if (e)
		sink_cut(s, before);
	return e;
}

static int write_last_block(struct sink *s)
{
	return s->written ? write_or_cut(s, last_block, sizeof(last_block)) : 0;
}

/*
 * The file is valid at any time, even if no more can be written: the last block stands behind each
 * piece, and the next piece overwrites it.
 */
static int write_over_last_block(struct sink *s, void *bytes, size_t n)
{
	struct iovec iov[] = {{bytes, n}, {(void *)last_block, sizeof(last_block)}};
	uint64_t before = s->written, from = before ? before - sizeof(last_block) : 0;
	int e;

	s->written = from;
	e = sink_write(s, iov, 2);
	if (!e)
		return 0;
	if (s->written == from) { /* nothing was overwritten */
		s->written = before;
		return e;
	}
	sink_cut(s, from);
	write_last_block(s);
	return e;
}

int zstd_write(struct zstd *z, struct sink *s, const void *bytes, size_t n)
{
	ZSTD_inBuffer in = {bytes, n, 0};
	ZSTD_outBuffer out = {z->out, z->room, 0};
	/* The output buffer has room for everything, so one call is enough. */
	size_t left = ZSTD_compressStream2(z->context, &out, &in,
					   z->seekable ? ZSTD_e_end : ZSTD_e_flush);
	bool ends = !z->seekable && sink_is_placed(s);
	int e = ZSTD_isError(left) || left ? -ENOMEM
		: ends			   ? write_over_last_block(s, z->out, out.pos)
					   : write_or_cut(s, z->out, out.pos);

	if (!e && z->seekable) {
		put(z, (uint32_t)out.pos);
		put(z, (uint32_t)n);
	}
	return e;
}

static int write_table(struct zstd *z, struct sink *s)
{
	size_t entries = z->table.used - HEADER_SIZE;
	uint32_t length = htole32((uint32_t)(entries + FOOTER_SIZE));

	put(z, (uint32_t)(entries / ENTRY_SIZE));
	z->table_is_whole &=
		!buffer_append(&z->table, "", 1); /* flags: frames have the checksums */
	put(z, SEEKABLE_MAGIC);
	if (!z->table_is_whole || entries / ENTRY_SIZE > FRAMES_MAX)
		return 0;
	memcpy(z->table.at + sizeof(length), &length, sizeof(length));
	return write_or_cut(s, z->table.at, z->table.used);
}

int zstd_end(struct zstd *z, struct sink *s, bool failed)
{
	int e = 0;

	/* Nothing can be cut from a pipe: half a block may be in it, and perhaps nobody reads. */
	if (!z->seekable && !sink_is_placed(s) && (!failed || s->regular))
		e = write_last_block(s);
	else if (z->seekable && !failed)
		e = write_table(z, s);
	ZSTD_CCtx_reset(z->context, ZSTD_reset_session_only);
	begin_table(z);
	return e;
}

bool zstd_is_seekable(const struct zstd *z)
{
	return z->seekable;
}

void zstd_close(struct zstd *z)
{
	if (!z)
		return;
	ZSTD_freeCCtx(z->context);
	buffer_free(&z->table);
	free(z->out);
	free(z);
}
