/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The file that TLS programs append their keys to (SSLKEYLOGFILE): draft-ietf-tls-keylogfile,
 * section 2. It grows while it is read, by any number of readers. It complains itself.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "lock.h"

#define KEYLOG_READ_MAX (32u << 10) /* most bytes of one keylog_read() */

struct keylog {
	int fd; /* -1: none */
	const char *path;
	struct lock_limit limit;		  /* for files that its keys are written to */
	atomic_bool has_keys, has_others, is_new; /* what has been seen; the user is told once */
};

/* How far a reader has come; all 0 at the start of the file. */
struct keylog_place {
	uint64_t at;
	size_t known;	 /* how many bytes before it are kept: */
	char before[32]; /* if they differ in the file, it was begun anew */
};

/* path: an existing regular file; NULL: no keys wanted. Returns 0, or -errno after a complaint. */
int keylog_open(struct keylog *k, const char *path);
/* After a capture: warn if no key has come. */
void keylog_tell(const struct keylog *k);
void keylog_close(struct keylog *k);
/*
 * Read the next complete lines that are keys, and skip others. Returns the number of bytes, at most
 * KEYLOG_READ_MAX; 0: nothing more for now.
 */
size_t keylog_read(struct keylog *k, struct keylog_place *p, char to[KEYLOG_READ_MAX]);
