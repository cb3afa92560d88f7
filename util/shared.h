/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Files in folders where everybody can create some, such as /tmp: others may have been there
 * before. On the way to a file, no link of another user in such a folder is followed (-EPERM):
 * util/folder.h.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * open(2) for writing, without O_TRUNC. In such a folder it follows no link (-ELOOP), and opens no
 * file of another user (-EPERM), who could read it. Returns a descriptor or -errno.
 */
int shared_open(const char *path, int flags, mode_t mode);
/*
 * Open for writing. At first, only this user may access a new file; *later is the mode that it may
 * get in the end, according to the umask, or 0 if the file existed before. Returns a descriptor or
 * -errno.
 */
int shared_create(const char *path, mode_t *later);
/* Open the folder itself for reading. Returns a descriptor or -errno. */
int shared_open_folder(const char *path);
/* open(2) of whatever has the name, whoever owns it: pass O_NOFOLLOW. Returns a descriptor or
 * -errno. */
int shared_open_any(const char *path, int flags, mode_t mode);
/* As lstat(2), rename(2) and unlink(2), but they return -errno. */
int shared_stat(const char *path, struct stat *st);
int shared_rename(const char *from, const char *to);
int shared_unlink(const char *path);
/*
 * Take permissions other than these away from an open file. If it is not a regular file, it stays
 * as it is. Returns 0 or -errno.
 */
int shared_narrow(int fd, mode_t most);
/* Why the file could not be opened: who owns it, or what is on the way. For -EPERM, and for
 * -EACCES, which fs.protected_regular causes. */
const char *shared_why(const char *path, int e);
/* Is it another user's file or link, in a folder that is not ours either? Then it cannot be removed
 * or replaced. */
bool shared_is_anothers(const char *path);
