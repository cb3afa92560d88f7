/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "clock.h"
#include "loader_protocol.h"

/* Without a deadline the calls themselves wait. One deadline, however many signals interrupt. */
static bool wait_ready(int fd, short events, uint64_t deadline)
{
	struct pollfd p = {.fd = fd, .events = events};
	int64_t left;

	if (!deadline)
		return true;
	left = (int64_t)(deadline - clock_monotonic());
	if (left <= 0)
		return false;
	return poll(&p, 1, (int)(left / NS_PER_MS) + 1) >= 0 || errno == EINTR;
}

/* What a transfer call said: more bytes, nothing for now, or the end. */
static bool advance(ssize_t n, char **p, size_t *size)
{
	if (n > 0) {
		*p += n;
		*size -= (size_t)n;
		return true;
	}
	return n < 0 && (errno == EINTR || errno == EAGAIN);
}

bool loader_send(int fd, const void *data, size_t size, uint64_t deadline)
{
	char *p = (char *)data; /* advance() serves both directions; nothing is written there */
	int flags = MSG_NOSIGNAL | (deadline ? MSG_DONTWAIT : 0);

	while (size)
		if (!wait_ready(fd, POLLOUT, deadline) ||
		    !advance(send(fd, p, size, flags), &p, &size))
			return false;
	return true;
}

bool loader_receive(int fd, void *data, size_t size, uint64_t deadline)
{
	char *p = data;

	while (size)
		if (!wait_ready(fd, POLLIN, deadline) ||
		    !advance(recv(fd, p, size, deadline ? MSG_DONTWAIT : 0), &p, &size))
			return false;
	return true;
}
