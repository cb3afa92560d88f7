/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of compress.c where libzstd was left out: the option is refused before any of it. */
#include <errno.h>

#include "compress.h"
#include "sink.h"

bool compressor_is_built(void)
{
	return false;
}

int compressor_open(struct compressor **c, int level, bool seekable)
{
	(void)c;
	(void)level;
	(void)seekable;
	return -EOPNOTSUPP;
}

void compressor_begin(struct compressor *c, struct sink *s)
{
	(void)c;
	(void)s;
}

int compressor_write(struct compressor *c, const void *blocks, size_t length)
{
	(void)c;
	(void)blocks;
	(void)length;
	return -EOPNOTSUPP;
}

void compressor_flush(struct compressor *c)
{
	(void)c;
}

void compressor_count(struct compressor *c, uint64_t *packets, uint64_t *bytes)
{
	(void)c;
	*packets = *bytes = 0;
}

int compressor_end(struct compressor *c, struct sink *s)
{
	(void)c;
	(void)s;
	return -EOPNOTSUPP;
}

void compressor_close(struct compressor *c)
{
	(void)c;
}
