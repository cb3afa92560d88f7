/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Many connections that live for a few milliseconds.
 *
 *	storm serve ADDRESS			an echo; prints its port
 *	storm call ADDRESS PORT COUNT RATE MS	so many, in all, a second, and how long each lives,
 *by four processes; prints "PORT PID" of each
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/clock.h"

#define CALLERS	 4
#define OPEN_MAX 1024 /* at once, of a caller */

static void fail(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static struct sockaddr_in address_of(const char *address, const char *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};

	if (inet_pton(AF_INET, address, &a.sin_addr) != 1)
		fail(address);
	return a;
}

static uint16_t port_of(int fd)
{
	struct sockaddr_in a;
	socklen_t n = sizeof(a);

	if (getsockname(fd, (struct sockaddr *)&a, &n))
		fail("getsockname");
	return ntohs(a.sin_port);
}

static void watch(int epoll, int fd)
{
	struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e))
		fail("epoll_ctl");
}

static int serve(const char *address)
{
	struct sockaddr_in a = address_of(address, "0");
	int s = socket(AF_INET, SOCK_STREAM, 0), epoll = epoll_create1(0);
	struct epoll_event e;
	char data[64];

	if (bind(s, (struct sockaddr *)&a, sizeof(a)) || listen(s, 4096))
		fail("listen");
	printf("%u\n", port_of(s));
	fflush(stdout);
	watch(epoll, s);
	while (epoll_wait(epoll, &e, 1, -1) == 1 || errno == EINTR) {
		int fd = e.data.fd;
		ssize_t n;

		if (fd == s) {
			watch(epoll, accept(s, NULL, NULL));
			continue;
		}
		n = recv(fd, data, sizeof(data), 0);
		if (n <= 0 || send(fd, data, (size_t)n, MSG_NOSIGNAL) != n)
			close(fd);
	}
	return EXIT_FAILURE;
}

struct calls {
	int fd[OPEN_MAX];
	uint64_t end[OPEN_MAX];
	unsigned first, n; /* a ring: the first ends first */
};

static void close_one(struct calls *c)
{
	close(c->fd[c->first]);
	c->first = (c->first + 1) % OPEN_MAX;
	c->n--;
}

static void call(struct calls *c, const struct sockaddr_in *to, uint64_t life)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	unsigned last = (c->first + c->n) % OPEN_MAX;
	char data[] = {'p', 'i', 'n', 'g'};

	if (connect(fd, (const struct sockaddr *)to, sizeof(*to)))
		fail("connect");
	if (send(fd, data, sizeof(data), 0) != sizeof(data) ||
	    recv(fd, data, sizeof(data), MSG_WAITALL) != sizeof(data))
		fail("echo");
	printf("%u %d\n", port_of(fd), getpid());
	c->fd[last] = fd;
	c->end[last] = clock_monotonic() + life;
	c->n++;
}

static int call_all(const struct sockaddr_in *to, unsigned count, unsigned rate, uint64_t life)
{
	struct calls c = {.n = 0};
	uint64_t begin = clock_monotonic(), now = begin;

	setvbuf(stdout, NULL, _IOLBF, 0); /* the others write to the same file */
	for (unsigned i = 0; i < count || c.n; now = clock_monotonic()) {
		if (c.n && (c.end[c.first] <= now || c.n == OPEN_MAX))
			close_one(&c);
		else if (i < count && now >= begin + i * (NS_PER_SEC / rate))
			call(&c, to, life), i++;
		else
			usleep(200);
	}
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct sockaddr_in to;
	unsigned count, rate;
	int status, e = EXIT_SUCCESS;

	if (argc == 3 && strcmp(argv[1], "serve") == 0)
		return serve(argv[2]);
	if (argc != 7 || strcmp(argv[1], "call") != 0)
		return EXIT_FAILURE;
	to = address_of(argv[2], argv[3]);
	count = (unsigned)atoi(argv[4]) / CALLERS;
	rate = (unsigned)atoi(argv[5]) / CALLERS;
	for (unsigned i = 0; i < CALLERS; i++)
		if (fork() == 0)
			exit(call_all(&to, count, rate, (uint64_t)atoi(argv[6]) * NS_PER_MS));
	while (wait(&status) > 0)
		e |= status;
	return e ? EXIT_FAILURE : EXIT_SUCCESS;
}
