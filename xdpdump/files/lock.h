/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Of two xdpdumps only one writes a file, and no other replaces it while a command has it: until
 * then there is a lock of flock() on it. What bears a name of ours without a lock is nobody's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Another file, which is secret. */
struct lock_limit {
	mode_t mode;
	uid_t owner;
};

/* Both give a descriptor or -errno; -EBUSY: somebody holds a lock. */
/* limit: bits for others only as this has them; NULL: as umask(2) says. -EKEYREJECTED: the file is
 * there, and another user could read it. */
/* The file of that name, emptied if it is one; also a pipe or a device, which are not locked. */
int lock_open(const char *path, const struct lock_limit *limit);
/* A new file. One that is there already and not locked is removed, a link is refused: -ELOOP. */
int lock_create(const char *path, const struct lock_limit *limit);
/* A lock for reading; -1: it cannot be locked, or need not be. */
int lock_share(const char *path);
/* Does somebody hold a lock on it? */
bool lock_is_held(const char *path);
/*
 * Does somebody hold a lock on a file whose name is this, perhaps a number, and perhaps the suffix?
 * Its name goes to found, which has so many bytes.
 */
bool lock_search(const char *name, const char *suffix, char *found, size_t size);
