/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Descriptors that go to another process by a socket of AF_UNIX, beside some bytes. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#define DESCRIPTORS_MAX 32 /* at once */

/* n may be 0. They stay open here as well. -errno. */
int descriptors_send(int socket, const void *bytes, size_t size, const int *fds, unsigned n);
/*
 * What one call of the other side has sent. *n: the most that are wanted, then how many came; they
 * are closed at an exec. flags: as of recvmsg(2). How many bytes came; 0: the other end is closed;
 * -EPROTO: more descriptors came than were wanted, or not all that were sent, and -EMFILE: there is
 * no room for all; then all are closed; or another -errno.
 */
ssize_t descriptors_receive(int socket, void *bytes, size_t size, int *fds, unsigned *n, int flags);
/*
 * The same of just these bytes, with n descriptors or none. How many descriptors came. -EPIPE: the
 * other end is closed, or says something else; another -errno.
 */
int descriptors_receive_all(int socket, void *bytes, size_t size, int *fds, unsigned n, int flags);
void descriptors_close(const int *fds, unsigned n);
/* Can this process have n more, of at most DESCRIPTORS_TRIED_MAX? 0 or -errno. */
#define DESCRIPTORS_TRIED_MAX 512
int descriptors_try(unsigned n);
