/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exporter.h"
#include "starter.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/confine.h"

#define CONTROL (STDERR_FILENO + 1)

enum { SOCKET, MEMORY, FDS };

struct request {
	uint32_t stream, of;
};

/* Memory for a message, and the message. */
struct letter {
	struct request request;
	struct iovec iov;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(FDS * sizeof(int))];
	struct msghdr m;
};

static void prepare(struct letter *l)
{
	*l = (struct letter){.iov = {.iov_len = sizeof(l->request)}};
	l->iov.iov_base = &l->request;
	l->m = (struct msghdr){.msg_iov = &l->iov,
			       .msg_iovlen = 1,
			       .msg_control = l->control,
			       .msg_controllen = sizeof(l->control)};
}

int starter_ask(int control, unsigned stream, unsigned of, int socket, int memory)
{
	const int fds[FDS] = {[SOCKET] = socket, [MEMORY] = memory};
	struct cmsghdr *c;
	struct letter l;

	prepare(&l);
	l.request = (struct request){stream, of};
	c = CMSG_FIRSTHDR(&l.m);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(c), fds, sizeof(fds));
	return sendmsg(control, &l.m, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* False: who captures asks for no more. */
static bool receive(struct request *r, int fds[FDS])
{
	const struct cmsghdr *c;
	struct letter l;
	ssize_t n;

	prepare(&l);
	do
		n = recvmsg(CONTROL, &l.m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	c = n == sizeof(l.request) ? CMSG_FIRSTHDR(&l.m) : NULL;
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(FDS * sizeof(int)))
		return false;
	memcpy(fds, CMSG_DATA(c), FDS * sizeof(int));
	*r = l.request;
	return true;
}

/* Who waits for one that cannot be started sees the end of its socket. */
static void start(const struct exporter *x, const int fds[FDS])
{
	pid_t child = x->of ? fork() : 0;

	if (child == 0)
		exporter_run(x, fds[SOCKET], fds[MEMORY]);
	if (child < 0)
		complain("--to: a process for stream %u: %s", x->stream, strerror(errno));
	close(fds[SOCKET]);
	close(fds[MEMORY]);
}

void starter_run(const struct starter *s, int control)
{
	struct exporter x = {.options = s->options, .program = s->program, .session = s->session};
	struct request r;
	int fds[FDS], e;

	child_ignore_signals();
	if (s->user.changes)
		setenv("HOME", s->user.home, 1);
	e = child_keep_descriptors(&control, 1);
	if (!e)
		e = child_give_up_privilege(&s->user);
	if (!e)
		e = confine_with_commands();
	if (e)
		complain("--to: the process for it cannot give up its privileges: %s",
			 strerror(-e));
	while (!e && receive(&r, fds)) {
		x.stream = r.stream;
		x.of = r.of;
		start(&x, fds);
	}
	while (!e && (wait(NULL) > 0 || errno == EINTR))
		;
	_exit(e ? 1 : 0);
}
