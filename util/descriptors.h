/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Sends descriptors to another process, with some bytes, by an AF_UNIX socket. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#define DESCRIPTORS_MAX 32 /* in one message */

/* n may be 0. The descriptors stay open here as well. Returns 0 or -errno. */
int descriptors_send(int socket, const void *bytes, size_t size, const int *fds, unsigned n);
/*
 * Receive what one call of the other side has sent. *n: the maximum number of descriptors, then how
 * many came; they are close-on-exec. flags: see recvmsg(2). Returns the number of bytes; 0: the
 * other end is closed; -EPROTO: more descriptors came than wanted, or fewer than sent; -EMFILE:
 * there is no room for all. After these errors all of them are closed. Or another -errno.
 */
ssize_t descriptors_receive(int socket, void *bytes, size_t size, int *fds, unsigned *n, int flags);
/*
 * The same for exactly these bytes, with n descriptors or none. Returns how many descriptors came;
 * -EPIPE: the other end is closed, or has sent something else; or another -errno.
 */
int descriptors_receive_all(int socket, void *bytes, size_t size, int *fds, unsigned n, int flags);
void descriptors_close(const int *fds, unsigned n);
/* Can this process have n more? n is at most DESCRIPTORS_TRIED_MAX. Returns 0 or -errno. */
#define DESCRIPTORS_TRIED_MAX 512
int descriptors_try(unsigned n);
