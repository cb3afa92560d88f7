/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "descriptors.h"

/* Aligned as cmsg(3) requires. */
union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
};

void descriptors_close(const int *fds, unsigned n)
{
	while (n)
		close(fds[--n]);
}

int descriptors_send(int socket, const void *bytes, size_t size, const int *fds, unsigned n)
{
	const size_t length = n * sizeof(*fds);
	struct iovec io = {(void *)(uintptr_t)bytes, size};
	struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1};
	union control c = {.head = {.cmsg_len = CMSG_LEN(length),
				    .cmsg_level = SOL_SOCKET,
				    .cmsg_type = SCM_RIGHTS}};
	ssize_t done;

	if (n > DESCRIPTORS_MAX)
		return -EINVAL;
	if (n) {
		memcpy(CMSG_DATA(&c.head), fds, length);
		m.msg_control = &c;
		m.msg_controllen = CMSG_SPACE(length);
	}
	done = sendmsg(socket, &m, MSG_NOSIGNAL);
	if (done < 0)
		return -errno;
	return (size_t)done == size ? 0 : -EMSGSIZE;
}

/* Returns how many came: CMSG_SPACE() may have room for one more than was asked for. */
static unsigned read_control(struct msghdr *m, int came[DESCRIPTORS_MAX + 1])
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(m);
	size_t length;

	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return 0;
	length = c->cmsg_len - CMSG_LEN(0);
	memcpy(came, CMSG_DATA(c), length);
	return (unsigned)(length / sizeof(*came));
}

/* Some descriptors did not come: is that because this process has no room? */
static int why_lost(int socket)
{
	int one = fcntl(socket, F_DUPFD_CLOEXEC, 0), e = one < 0 ? -errno : -EPROTO;

	if (one >= 0)
		close(one);
	return e;
}

ssize_t descriptors_receive(int socket, void *bytes, size_t size, int *fds, unsigned *n, int flags)
{
	union control c;
	struct iovec io = {bytes, size};
	struct msghdr m = {.msg_iov = &io,
			   .msg_iovlen = 1,
			   .msg_control = &c,
			   .msg_controllen = sizeof(c)};
	unsigned most = *n;
	int came[DESCRIPTORS_MAX + 1], e = 0;
	ssize_t length;

	*n = 0;
	do
		length = recvmsg(socket, &m, flags | MSG_CMSG_CLOEXEC);
	while (length < 0 && errno == EINTR);
	if (length < 0)
		return -errno;
	*n = read_control(&m, came);
	if (m.msg_flags & MSG_CTRUNC)
		e = why_lost(socket);
	else if (*n > most)
		e = -EPROTO;
	if (!e) {
		memcpy(fds, came, *n * sizeof(*fds));
		return length;
	}
	descriptors_close(came, *n);
	*n = 0;
	return e;
}

int descriptors_receive_all(int socket, void *bytes, size_t size, int *fds, unsigned n, int flags)
{
	unsigned came = n;
	ssize_t length = descriptors_receive(socket, bytes, size, fds, &came, flags);

	if (length == (ssize_t)size && (!came || came == n))
		return (int)came;
	descriptors_close(fds, came);
	return length < 0 && length != -EPROTO ? (int)length : -EPIPE;
}

int descriptors_try(unsigned n)
{
	int fds[DESCRIPTORS_TRIED_MAX], e = 0;
	unsigned had = 0;

	while (had < n && !e) {
		fds[had] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		if (fds[had] < 0 && errno == EBADF) /* it is closed: any other will do */
			fds[had] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (fds[had] < 0)
			e = -errno;
		else
			had++;
	}
	descriptors_close(fds, had);
	return e;
}
