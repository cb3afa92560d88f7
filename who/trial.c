/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "trial.h"

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

static int give(int to, int fd)
{
	union control c = {.head = {.cmsg_len = CMSG_LEN(sizeof(fd)),
				    .cmsg_level = SOL_SOCKET,
				    .cmsg_type = SCM_RIGHTS}};
	struct iovec byte = {"", 1};
	struct msghdr m = {.msg_iov = &byte,
			   .msg_iovlen = 1,
			   .msg_control = &c,
			   .msg_controllen = sizeof(c)};

	memcpy(CMSG_DATA(&c.head), &fd, sizeof(fd));
	return sendmsg(to, &m, 0) == 1 ? 0 : -errno;
}

static int receive_descriptor(int from)
{
	union control c;
	char got;
	struct iovec byte = {&got, 1};
	struct msghdr m = {.msg_iov = &byte,
			   .msg_iovlen = 1,
			   .msg_control = &c,
			   .msg_controllen = sizeof(c)};
	int fd;

	if (recvmsg(from, &m, MSG_CMSG_CLOEXEC) != 1)
		return -errno;
	if (!CMSG_FIRSTHDR(&m))
		return -EMFILE;
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	close(fd);
	return 0;
}

int trial_run(struct trial *t)
{
	int ends[2], fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), e = fd < 0 ? -errno : 0;
	socklen_t size = sizeof(t->cookie);

	if (e)
		return e;
	if (getsockopt(fd, SOL_SOCKET, SO_COOKIE, &t->cookie, &size) ||
	    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends)) {
		e = -errno;
		close(fd);
		return e;
	}
	e = give(ends[0], fd);
	if (!e)
		e = receive_descriptor(ends[1]);
	close(ends[0]);
	close(ends[1]);
	close(fd);
	return e;
}
