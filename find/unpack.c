/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZ4
#include <lz4frame.h>
#endif

#include "find/unpack.h"

static ssize_t damaged(struct source *s, const char *why)
{
	s->fault = why;
	return -EBADMSG;
}

#ifdef HAVE_ZLIB
#define GZIP_ONLY (16 + MAX_WBITS)

static int gzip_open(struct source *s)
{
	z_stream *z = calloc(1, sizeof(*z));

	s->state = z;
	return z && inflateInit2(z, GZIP_ONLY) == Z_OK ? 0 : -ENOMEM;
}

/* Concatenated gzip files are read as one. */
static ssize_t gzip_read(struct source *s, void *to, size_t n)
{
	z_stream *z = s->state;
	int e;

	if (s->is_between && s->at < s->end && inflateReset(z) != Z_OK)
		return damaged(s, "it is not gzip");
	z->next_in = s->in + s->at;
	z->avail_in = (unsigned)(s->end - s->at);
	z->next_out = to;
	z->avail_out = (unsigned)n;
	e = inflate(z, Z_NO_FLUSH);
	s->at = s->end - z->avail_in;
	s->is_between = e == Z_STREAM_END || (s->is_between && e == Z_BUF_ERROR);
	if (e != Z_OK && e != Z_STREAM_END && e != Z_BUF_ERROR)
		return damaged(s, z->msg ? z->msg : "it is not gzip");
	return (ssize_t)(n - z->avail_out);
}

static void gzip_close(struct source *s)
{
	inflateEnd(s->state);
	free(s->state);
}
#endif

#ifdef HAVE_ZSTD
/* A file must not take all our memory: this is the limit that the zstd command has by default. */
#define ZSTD_WINDOW_LOG 27

static int zstd_open(struct source *s)
{
	s->state = ZSTD_createDCtx();
	if (!s->state)
		return -ENOMEM;
	ZSTD_DCtx_setParameter(s->state, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
	return 0;
}

static ssize_t zstd_read(struct source *s, void *to, size_t n)
{
	ZSTD_inBuffer in = {s->in, s->end, s->at};
	ZSTD_outBuffer out = {to, n, 0};
	size_t e = ZSTD_decompressStream(s->state, &out, &in);

	if (ZSTD_isError(e))
		return damaged(s, ZSTD_getErrorName(e));
	if (in.pos > s->at || out.pos)
		s->is_between = e == 0;
	s->at = in.pos;
	return (ssize_t)out.pos;
}

static void zstd_close(struct source *s)
{
	ZSTD_freeDCtx(s->state);
}
#endif

#ifdef HAVE_LZ4
static int lz4_open(struct source *s)
{
	LZ4F_dctx *d = NULL;
	bool failed = LZ4F_isError(LZ4F_createDecompressionContext(&d, LZ4F_VERSION));

	s->state = d;
	return failed ? -ENOMEM : 0;
}

static ssize_t lz4_read(struct source *s, void *to, size_t n)
{
	size_t used = s->end - s->at, made = n;
	size_t e = LZ4F_decompress(s->state, to, &made, s->in + s->at, &used, NULL);

	if (LZ4F_isError(e))
		return damaged(s, LZ4F_getErrorName(e));
	if (used || made)
		s->is_between = e == 0;
	s->at += used;
	return (ssize_t)made;
}

static void lz4_close(struct source *s)
{
	LZ4F_freeDecompressionContext(s->state);
}
#endif

static const struct {
	int (*open)(struct source *s);
	ssize_t (*read)(struct source *s, void *to, size_t n);
	void (*close)(struct source *s);
} forms[SOURCE_FORMS] = {
#ifdef HAVE_ZLIB
	[SOURCE_GZIP] = {gzip_open, gzip_read, gzip_close},
#endif
#ifdef HAVE_ZSTD
	[SOURCE_ZSTD] = {zstd_open, zstd_read, zstd_close},
#endif
#ifdef HAVE_LZ4
	[SOURCE_LZ4] = {lz4_open, lz4_read, lz4_close},
#endif
};

int unpack_open(struct source *s)
{
	if (s->form == SOURCE_PLAIN)
		return 0;
	return forms[s->form].open ? forms[s->form].open(s) : -ENOTSUP;
}

/* Loops because a step may consume input and return nothing. */
ssize_t unpack(struct source *s, void *to, size_t n)
{
	ssize_t got;
	size_t before;

	do {
		before = s->at;
		got = forms[s->form].read(s, to, n);
	} while (got == 0 && s->at != before && s->at < s->end);
	return got;
}

void unpack_close(struct source *s)
{
	if (s->state)
		forms[s->form].close(s);
	s->state = NULL;
}
