/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Pieces of a file, compressed. A file is one zstd frame, as Wireshark 4.0 loses its way behind the
 * first. Or it is seekable: independent frames and a table of them at the end, as in zstd's
 * contrib/seekable_format. Whatever was written can be read, whatever happens then.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ZSTD_LEVEL_DEFAULT 3
#define ZSTD_LEVEL_MAX	   19 /* higher ones need gigabytes */

struct zstd;
struct sink;

/* Is the library in this build? */
bool zstd_is_built(void);
/* For pieces of at most size bytes. -errno. */
int zstd_open(struct zstd **z, int level, bool seekable, size_t size);
/* Write one piece, or -errno and nothing of it. */
int zstd_write(struct zstd *z, struct sink *s, const void *bytes, size_t n);
/* The end of a file; failed: because something of it could not be written. */
int zstd_end(struct zstd *z, struct sink *s, bool failed);
/* Can each piece be read without those in front of it? */
bool zstd_is_seekable(const struct zstd *z);
/* NULL is allowed. */
void zstd_close(struct zstd *z);
