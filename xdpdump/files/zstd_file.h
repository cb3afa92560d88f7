/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Compresses a file piece by piece. The file is one zstd frame, because Wireshark 4.0 gets lost
 * beyond the first one; or it is seekable: independent frames, and a table of them at the end, as
 * in zstd's contrib/seekable_format. What was written can be read, whatever happens afterwards.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define ZSTD_LEVEL_DEFAULT 3
#define ZSTD_LEVEL_MAX	   19 /* higher ones need gigabytes */

struct zstd;
struct sink;

/* Was the program built with the library? */
bool zstd_is_built(void);
/* For pieces of at most size bytes. Returns 0 or -errno. */
int zstd_open(struct zstd **z, int level, bool seekable, size_t size);
/* Write one piece. Returns 0, or -errno after nothing of it was written. */
int zstd_write(struct zstd *z, struct sink *s, const void *bytes, size_t n);
/* End the file. failed: part of it could not be written. Returns 0 or -errno. */
int zstd_end(struct zstd *z, struct sink *s, bool failed);
/* Can each piece be read without the ones before it? */
bool zstd_is_seekable(const struct zstd *z);
/* NULL is allowed. */
void zstd_close(struct zstd *z);
