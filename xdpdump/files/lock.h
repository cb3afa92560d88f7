/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Only one xdpdump writes a file at a time, and none replaces it while a command works on it: a
 * flock() lock is held that long. A file with one of our names that nobody has locked is left over,
 * and may be removed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The mode and owner of a secret file, whose contents go into ours. */
struct lock_limit {
	mode_t mode;
	uid_t owner;
};

/* lock_open() and lock_create() return a descriptor or -errno; -EBUSY: somebody has a lock. */
/*
 * limit: other users get only the permissions that they have for that file; NULL: as umask(2)
 * allows. -EKEYREJECTED: the file exists, and its owner is somebody else, who could read it.
 */
/* Open the file of that name, and empty it if it is regular; pipes and devices are not locked. */
int lock_open(const char *path, const struct lock_limit *limit);
/*
 * Create a new file. A file that is there already is removed if nobody has locked it; a symbolic
 * link gives -ELOOP.
 */
int lock_create(const char *path, const struct lock_limit *limit);
/* Open the file with a shared lock. Returns a descriptor, or a negative number on failure. */
int lock_share(const char *path);
/* Does somebody hold a lock on this file? */
bool lock_is_held(const char *path);
/*
 * Does somebody hold a lock on a file whose name is this name, perhaps with a number, and perhaps
 * with the suffix? Its name goes to found, which has size bytes.
 */
bool lock_search(const char *name, const char *suffix, char *found, size_t size);
