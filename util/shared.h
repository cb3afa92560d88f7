/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Files in folders where everybody makes some, such as /tmp: others may have been there before. On
 * the way to a file no link of another user in such a folder is followed (-EPERM): util/folder.h.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * open(2) for writing, without O_TRUNC. In such a folder it follows no link (-ELOOP) and takes no
 * file of another user (-EPERM), who could read it. A descriptor, or -errno.
 */
int shared_open(const char *path, int flags, mode_t mode);
/*
 * To write: a new file is at first for nobody but us, and *later is the mode that it may have in
 * the end, by the umask; of one that was there it is 0. A descriptor, or -errno.
 */
int shared_create(const char *path, mode_t *later);
/* The folder itself, to read. A descriptor, or -errno. */
int shared_open_folder(const char *path);
/* open(2) of what has the name, whoever's it is: give O_NOFOLLOW. A descriptor, or -errno. */
int shared_open_any(const char *path, int flags, mode_t mode);
/* The same as lstat(2), rename(2) and unlink(2), but for -errno. */
int shared_stat(const char *path, struct stat *st);
int shared_rename(const char *from, const char *to);
int shared_unlink(const char *path);
/*
 * Of an open file: nobody may do more with it than these bits say. What is no file stays as it is.
 * 0 or -errno.
 */
int shared_narrow(int fd, mode_t most);
/* Why it could not be opened: whose it is, or what is on the way, in place of -EPERM, and of
 * -EACCES, which fs.protected_regular gives. */
const char *shared_why(const char *path, int e);
/* Is it another user's file, or link, in a folder that is not ours either? Then it cannot be
 * removed, or replaced. */
bool shared_is_anothers(const char *path);
