/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The file that TLS programs append their keys to, by SSLKEYLOGFILE: draft-ietf-tls-keylogfile,
 * section 2. It grows while it is read, by any number of readers. Complains itself.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "lock.h"

#define KEYLOG_READ_MAX (32u << 10) /* bytes of one keylog_read() */

struct keylog {
	int fd; /* -1: none */
	const char *path;
	struct lock_limit limit;		  /* of what its keys are written to */
	atomic_bool has_keys, has_others, is_new; /* seen; the user is told once */
};

/* How far a reader has come; all 0 at the beginning. */
struct keylog_place {
	uint64_t at;
	size_t known;	 /* bytes that lie before it: */
	char before[32]; /* other ones there now mean that the file began anew */
};

/* path: a regular file, which has to be there; NULL: none is wanted. -errno. */
int keylog_open(struct keylog *k, const char *path);
/* After a capture: has any key come? */
void keylog_tell(const struct keylog *k);
void keylog_close(struct keylog *k);
/*
 * The next lines that are keys, and no others: whole, up to KEYLOG_READ_MAX bytes. 0: nothing more
 * for now.
 */
size_t keylog_read(struct keylog *k, struct keylog_place *p, char to[KEYLOG_READ_MAX]);
