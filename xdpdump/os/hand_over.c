/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hand_over.h"

union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(HAND_OVER_MAX * sizeof(int))];
};

int hand_over(int socket, const void *bytes, size_t size, const int *fds, unsigned n)
{
	const size_t length = n * sizeof(*fds);
	struct iovec io = {(void *)(uintptr_t)bytes, size};
	struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1};
	union control c = {.head = {.cmsg_len = CMSG_LEN(length),
				    .cmsg_level = SOL_SOCKET,
				    .cmsg_type = SCM_RIGHTS}};

	if (n) {
		memcpy(CMSG_DATA(&c.head), fds, length);
		m.msg_control = &c;
		m.msg_controllen = CMSG_SPACE(length);
	}
	return sendmsg(socket, &m, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* How many came; they may be others than those that were asked for. */
static unsigned received(struct msghdr *m, int fds[HAND_OVER_MAX])
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(m);
	size_t length;

	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return 0;
	length = c->cmsg_len - CMSG_LEN(0);
	memcpy(fds, CMSG_DATA(c), length);
	return (unsigned)(length / sizeof(*fds));
}

int take_over(int socket, void *bytes, size_t size, int *fds, unsigned n, int flags)
{
	union control c;
	struct iovec io = {bytes, size};
	struct msghdr m = {.msg_iov = &io,
			   .msg_iovlen = 1,
			   .msg_control = &c,
			   .msg_controllen = sizeof(c)};
	int came[HAND_OVER_MAX];
	unsigned count;
	ssize_t length;

	do
		length = recvmsg(socket, &m, flags | MSG_CMSG_CLOEXEC);
	while (length < 0 && errno == EINTR);
	if (length < 0)
		return -errno;
	count = received(&m, came);
	if ((size_t)length == size && (!count || count == n)) {
		memcpy(fds, came, count * sizeof(*fds));
		return (int)count;
	}
	for (unsigned i = 0; i < count; i++)
		close(came[i]);
	return -EPIPE;
}
