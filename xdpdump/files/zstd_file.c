/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "seek_table.h"
#include "sink.h"
#include "zstd_file.h"

/* Of a frame, an empty one: what was cut off by an error ends well with it. */
static const uint8_t last_block[] = {1, 0, 0};

struct zstd {
	ZSTD_CCtx *context;
	bool seekable, table_is_whole;
	struct seek_table table;
	size_t room;
	uint8_t *out; /* what becomes of a piece */
};

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
	z->table_is_whole = true;
	z->room = ZSTD_compressBound(size) + ZSTD_CStreamOutSize();
	z->out = malloc(z->room);
	z->context = ZSTD_createCCtx();
	if (!z->out || !z->context) {
		zstd_close(z);
		return -ENOMEM;
	}
	ZSTD_CCtx_setParameter(z->context, ZSTD_c_compressionLevel, level);
	/* Of a frame that is cut off, the checksum would be missing. */
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
 * The file ends well at any time, also where it cannot be written to any more: the last block
 * stands behind each piece, and the next one goes over it.
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
	if (s->written == from) { /* as it was */
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
	/* There is room for all that comes of it, so that one call is enough. */
	size_t left = ZSTD_compressStream2(z->context, &out, &in,
					   z->seekable ? ZSTD_e_end : ZSTD_e_flush);
	bool ends = !z->seekable && sink_is_placed(s);
	int e = ZSTD_isError(left) || left ? -ENOMEM
		: ends			   ? write_over_last_block(s, z->out, out.pos)
					   : write_or_cut(s, z->out, out.pos);

	if (!e && z->seekable && seek_table_add(&z->table, (uint32_t)out.pos, (uint32_t)n))
		z->table_is_whole = false;
	return e;
}

/* A file is good without it. */
static int write_table(struct zstd *z, struct sink *s)
{
	size_t size = 0;
	uint8_t *frame = z->table_is_whole ? seek_table_frame(&z->table, &size) : NULL;
	int e = frame ? write_or_cut(s, frame, size) : 0;

	free(frame);
	return e;
}

int zstd_end(struct zstd *z, struct sink *s, bool failed)
{
	int e = 0;

	/* From a pipe nothing was cut: half a block may be in it, and nobody may read. */
	if (!z->seekable && !sink_is_placed(s) && (!failed || s->regular))
		e = write_last_block(s);
	else if (z->seekable && !failed)
		e = write_table(z, s);
	ZSTD_CCtx_reset(z->context, ZSTD_reset_session_only);
	seek_table_clear(&z->table);
	z->table_is_whole = true;
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
	seek_table_clear(&z->table);
	free(z->out);
	free(z);
}
