/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "complain.h"
#include "notify.h"

#define NS_PER_US 1000
/* Tries, up to a tenth of a second each. */
#define READY_TRIES 50

/*
 * name: a path, or "@" and a name in the abstract namespace. Returns the length of the address; 0:
 * it is neither.
 */
static socklen_t find_address(struct sockaddr_un *to, const char *name)
{
	size_t length = strlen(name);

	*to = (struct sockaddr_un){.sun_family = AF_UNIX};
	if ((*name != '/' && *name != '@') || length < 2 || length >= sizeof(to->sun_path))
		return 0;
	memcpy(to->sun_path, name, length);
	if (*name == '@')
		to->sun_path[0] = 0;
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

/* Returns a descriptor or -errno. */
static int connect_to(const char *name)
{
	struct sockaddr_un address;
	socklen_t length = find_address(&address, name);
	int fd, e;

	if (!length)
		return -EAFNOSUPPORT;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (struct sockaddr *)&address, length) == 0)
		return fd;
	e = -errno;
	close(fd);
	return e;
}

/* The watchdog is for this process only if WATCHDOG_PID says so. */
static uint64_t read_watchdog(void)
{
	const char *us = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");

	if (!us || (pid && strtol(pid, NULL, 10) != getpid()))
		return 0;
	return strtoull(us, NULL, 10) * NS_PER_US;
}

void notify_open(struct notify *n)
{
	const char *name = getenv("NOTIFY_SOCKET");

	*n = (struct notify){.fd = -1};
	if (name && *name)
		n->fd = connect_to(name);
	if (n->fd >= 0)
		n->watchdog = read_watchdog();
	else if (name && *name)
		complain("warning: NOTIFY_SOCKET %s: %s", name, strerror(-n->fd));
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

void notify_close(struct notify *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
}

void notify_ready(const struct notify *n)
{
	struct pollfd to = {.fd = n->fd, .events = POLLOUT};

	for (int i = 0; n->fd >= 0 && i < READY_TRIES; i++) {
		if (send(n->fd, "READY=1", 7, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || errno != EAGAIN)
			return;
		poll(&to, 1, 100);
	}
}

void notify_send(const struct notify *n, const char *text)
{
	if (n->fd >= 0)
		send(n->fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL);
}
