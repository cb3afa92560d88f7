/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Files in folders where everybody makes some, such as /tmp: others may have been there before. */
#ifndef XDPDUMP_SHARED_H
#define XDPDUMP_SHARED_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * open(2) for writing, without O_TRUNC. In such a folder it follows no link (-ELOOP) and takes no
 * file of another user (-EPERM), who could read it. A descriptor, or -errno.
 */
int shared_open(const char *path, int flags, mode_t mode);
/* Is it one that this does not take? The kernel may have said so before: fs.protected_regular,
 * EACCES. */
bool shared_refuses(const char *path);
/* Is it another user's file, or link, in a folder that is not ours either? Then it cannot be
 * removed, or replaced. */
bool shared_is_anothers(const char *path);

#endif
