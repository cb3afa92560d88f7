/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Processes that make sockets, hand them on and close them, as they are told, and who beside them.
 */
#pragma once

#include <errno.h>
#include <linux/types.h>
#include <netinet/in.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bpf/record.h"
#include "looking.h"
#include "util/clock.h"

#define WORKERS	 5
#define SHARER	 WORKERS /* another process has its descriptors, too */
#define SOCKETS	 12
#define ANY_PORT 0

enum operation { MAKE, CLOSE, DUP_OVER, GIVE, TAKE, TAKE_BY_PIDFD, LISTEN, CONNECT, ACCEPT };

struct order {
	uint32_t operation, socket, other, port;
	int pid, fd;
};

struct answer {
	uint64_t cookie;
	int pid, fd;
	uint16_t port;
};

struct worker {
	pid_t pid;
	int orders;
	bool holds[SOCKETS];
	int fd[SOCKETS];
};

static struct who *who;
static pid_t looker;
static int inbox[WORKERS][2]; /* sockets for a worker come by these */
static struct worker worker[WORKERS + 1];
static uint64_t cookie[SOCKETS];

/* ---- in a worker ---- */

static inline uint64_t cookie_of(int fd)
{
	uint64_t c = 0;
	socklen_t n = sizeof(c);

	getsockopt(fd, SOL_SOCKET, SO_COOKIE, &c, &n);
	return c;
}

static inline void give(int fd, int to)
{
	char byte = 0, control[CMSG_SPACE(sizeof(int))] = "";
	struct iovec v = {&byte, 1};
	struct msghdr m = {.msg_iov = &v,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof(control)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	if (sendmsg(to, &m, 0) != 1)
		_exit(3);
}

static inline int take(int from)
{
	char byte, control[CMSG_SPACE(sizeof(int))];
	struct iovec v = {&byte, 1};
	struct msghdr m = {.msg_iov = &v,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof(control)};
	int fd = -1;

	if (recvmsg(from, &m, 0) != 1 || !CMSG_FIRSTHDR(&m))
		_exit(4);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	return fd;
}

static inline struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
				    .sin_port = htons(port),
				    .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static inline int make_listener(uint16_t *port)
{
	struct sockaddr_in a = loopback(ANY_PORT);
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (bind(fd, (struct sockaddr *)&a, n) || listen(fd, 16) ||
	    getsockname(fd, (struct sockaddr *)&a, &n))
		_exit(5);
	*port = ntohs(a.sin_port);
	return fd;
}

static inline int make_connection(uint16_t port)
{
	struct sockaddr_in a = loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(fd, (struct sockaddr *)&a, sizeof(a)))
		_exit(6);
	return fd;
}

static inline void obey_one(unsigned self, const struct order *o, struct answer *a)
{
	int fd;

	switch (o->operation) {
	case MAKE:
		a->fd = socket(AF_INET, SOCK_DGRAM, 0);
		break;
	case CLOSE:
		close(o->fd);
		break;
	case DUP_OVER:
		fd = dup(STDERR_FILENO);
		dup2(fd, o->fd);
		close(fd);
		break;
	case GIVE:
		give(o->fd, inbox[o->other][1]);
		break;
	case TAKE:
		a->fd = take(inbox[self][0]);
		break;
	case TAKE_BY_PIDFD:
		fd = (int)syscall(SYS_pidfd_open, o->pid, 0);
		a->fd = (int)syscall(SYS_pidfd_getfd, fd, o->fd, 0);
		close(fd);
		break;
	case LISTEN:
		a->fd = make_listener(&a->port);
		break;
	case CONNECT:
		a->fd = make_connection((uint16_t)o->port);
		break;
	case ACCEPT:
		a->fd = accept(o->fd, NULL, NULL);
		break;
	}
	if (a->fd >= 0)
		a->cookie = cookie_of(a->fd);
}

static inline void obey(unsigned self, int orders)
{
	struct order o;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(orders, &o, sizeof(o)) == sizeof(o)) {
		struct answer a = {.fd = -1};

		obey_one(self, &o, &a);
		if (write(orders, &a, sizeof(a)) != sizeof(a))
			break;
	}
	_exit(0);
}

/* ---- in the test ---- */

static inline struct answer order(unsigned w, struct order o)
{
	struct answer a;

	assert_int_equal(write(worker[w].orders, &o, sizeof(o)), sizeof(o));
	assert_int_equal(read(worker[w].orders, &a, sizeof(a)), sizeof(a));
	return a;
}

static inline void begin_worker(unsigned w)
{
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	worker[w] = (struct worker){.orders = ends[0], .pid = fork()};
	if (worker[w].pid == 0)
		obey(w, ends[1]);
	close(ends[1]);
}

/* From before who is there: no event tells of it. */
static inline void begin_sharer(void)
{
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	worker[SHARER] = (struct worker){.orders = ends[0], .pid = fork()};
	if (worker[SHARER].pid == 0) {
		pid_t parent = getpid();

		if (syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL) != 0)
			obey(SHARER, ends[1]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (getppid() == parent) /* it may have ended before that */
			pause();
		_exit(0);
	}
	close(ends[1]);
}

static inline int begin(void **state)
{
	char err[512];

	(void)state;
	if (geteuid() != 0) {
		printf("skipped: needs root, to look at the sockets of processes\n");
		exit(77);
	}
	begin_sharer();
	if (who_open(&who, false, err, sizeof(err))) {
		prctl(PR_SET_CHILD_SUBREAPER, 1); /* of the one that shares */
		kill(worker[SHARER].pid, SIGKILL);
		while (waitpid(-1, NULL, 0) > 0)
			;
		exit(status_without(err));
	}
	for (unsigned w = 0; w < WORKERS; w++)
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, inbox[w]))
			return -1;
	for (unsigned w = 0; w < WORKERS; w++)
		begin_worker(w);
	return begin_looking(who, &looker);
}

static inline int end(void **state)
{
	(void)state;
	for (unsigned w = 0; w <= SHARER; w++) {
		kill(worker[w].pid, SIGKILL); /* others have its end, too */
		waitpid(worker[w].pid, NULL, 0);
	}
	who_close(who);
	waitpid(looker, NULL, 0);
	return 0;
}

static inline void make(unsigned w, unsigned s)
{
	struct answer a = order(w, (struct order){.operation = MAKE});

	cookie[s] = a.cookie;
	worker[w].fd[s] = a.fd;
	worker[w].holds[s] = true;
}

static inline void leave(unsigned w, unsigned s, enum operation by)
{
	order(w, (struct order){.operation = by, .fd = worker[w].fd[s]});
	worker[w].holds[s] = false;
}

static inline void hand_over(unsigned from, unsigned to, unsigned s, enum operation by)
{
	struct answer a;

	if (by == TAKE)
		order(from,
		      (struct order){.operation = GIVE, .other = to, .fd = worker[from].fd[s]});
	a = order(to, (struct order){.operation = by,
				     .pid = worker[from].pid,
				     .fd = worker[from].fd[s]});
	assert_int_equal(a.cookie, cookie[s]);
	worker[to].fd[s] = a.fd;
	worker[to].holds[s] = true;
}
