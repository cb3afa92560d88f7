/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Replaces zstd_file.c in a build without libzstd: the option is refused before this runs. */
#include <errno.h>

#include "zstd_file.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* no parameter is used */

bool zstd_is_built(void)
{
	return false;
}

int zstd_open(struct zstd **z, int level, bool seekable, size_t size)
{
	return -EOPNOTSUPP;
}

int zstd_write(struct zstd *z, struct sink *s, const void *bytes, size_t n)
{
	return -EOPNOTSUPP;
}

int zstd_end(struct zstd *z, struct sink *s, bool failed)
{
	return -EOPNOTSUPP;
}

bool zstd_is_seekable(const struct zstd *z)
{
	return false;
}

void zstd_close(struct zstd *z)
{
}
