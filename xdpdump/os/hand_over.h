/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Descriptors that go to another process by a socket of AF_UNIX, beside some bytes. */
#ifndef XDPDUMP_HAND_OVER_H
#define XDPDUMP_HAND_OVER_H

#include <stddef.h>

#define HAND_OVER_MAX 2 /* descriptors at once */

/* n may be 0. The descriptors stay open here as well. -errno. */
int hand_over(int socket, const void *bytes, size_t size, const int *fds, unsigned n);
/*
 * What one call of the other side has handed over. How many descriptors came: n or none; they are
 * closed at an exec. flags: as of recvmsg(2). -EPIPE: the other end is closed, or says something
 * else; another -errno.
 */
int take_over(int socket, void *bytes, size_t size, int *fds, unsigned n, int flags);

#endif
