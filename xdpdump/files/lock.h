/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of two xdpdumps only one writes a file: while it does, it holds the lock of flock() on it. What
 * bears a name of ours without that lock was left by one that is gone.
 */
#ifndef XDPDUMP_LOCK_H
#define XDPDUMP_LOCK_H

#include <stddef.h>

/* Both give a descriptor or -errno; -EBUSY: somebody holds the lock. */
/* The file of that name, emptied if it is one; also a pipe or a device, which are not locked. */
int lock_open(const char *path);
/* A new file. One that is there already and not locked is removed, a link is refused: -ELOOP. */
int lock_create(const char *path);
/*
 * Does somebody write files whose names are this, perhaps a number, and behind it the suffix? The
 * name of one goes to found, which has so many bytes. 0: nobody; 1.
 */
int lock_search(const char *name, const char *suffix, char *found, size_t size);

#endif
