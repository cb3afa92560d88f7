/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "listen.h"
#include "util/clock.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/os/child.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"

#define WAITING	  64
#define END_NS	  (5 * NS_PER_SEC) /* longer than the child waits for a reader */
#define PUSH_NS	  (3 * NS_PER_SEC)
#define MOMENT_MS 10

static const char *why_not(int e)
{
	switch (e) {
	case EADDRINUSE:
		return "another program has this port (ss -ltnp names it): choose another";
	case EADDRNOTAVAIL:
		return "no interface here has this address (ip addr lists them)";
	case EACCES:
		return "ports below 1024 are root's: choose a higher one";
	default:
		return strerror(e);
	}
}

/* Returns a descriptor, or -errno after a complaint. */
static int open_socket(struct listen *l, const char *text)
{
	struct sockaddr_storage a;
	static const int yes = 1;
	socklen_t length;
	int fd;

	if (!address_parse(&a, &length, text))
		return refuse(-EINVAL,
			      "--listen takes [ADDRESS:]PORT in numbers, as in 5555, 10.0.0.1:5555 or [::1]:5555, not \"%s\"",
			      text);
	fd = socket(a.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (fd < 0 || bind(fd, (const struct sockaddr *)&a, length) || listen(fd, WAITING) ||
	    getsockname(fd, (struct sockaddr *)&a, &length)) {
		int e = errno;

		complain("--listen %s: %s", text, why_not(e));
		if (fd >= 0)
			close(fd);
		return -e;
	}
	l->is_open_to_all = !address_is_loopback(&a);
	address_format(&a, l->place);
	return fd;
}

/* Runs in the child. It ends when the pipe does, and so also when we end. */
static void run_child(const struct listen *l, const struct child_user *u, const int fds[2],
		      bool is_pcap)
{
	int e;

	child_ignore_signals();
	e = child_keep_descriptors(fds, 2);
	if (!e)
		e = child_keep_capabilities(u, 0);
	if (!e)
		e = serve(STDERR_FILENO + 1, STDERR_FILENO + 2, is_pcap, l->state);
	_exit(e ? 1 : 0);
}

static int start(struct listen *l, const struct feed_plan *p, int socket)
{
	struct child_user u;
	int pipe[2], fds[2], e = 0;

	child_find_user(&u, p->user);
	l->state = mmap(NULL, sizeof(*l->state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (l->state == MAP_FAILED) {
		l->state = NULL;
		return -errno;
	}
	if (pipe2(pipe, O_CLOEXEC))
		return -errno;
	fds[0] = pipe[0];
	fds[1] = socket;
	l->child = fork();
	if (l->child == 0)
		run_child(l, &u, fds, p->listen_format == LISTEN_PCAP);
	if (l->child < 0) {
		e = -errno;
		l->child = 0;
		close(pipe[1]);
	} else {
		feed_set_pipe(l->feed, pipe[1]);
	}
	close(pipe[0]);
	return e;
}

int listen_open(struct listen *l, const struct feed_plan *p)
{
	int socket, e;

	*l = (struct listen){.feed = NULL};
	if (!p->listen)
		return 0;
	socket = open_socket(l, p->listen);
	if (socket < 0)
		return socket;
	l->has_keys = p->has_keys && p->listen_format == LISTEN_PCAPNG;
	e = p->trial ? 0 : feed_open(&l->feed, "the process that serves --listen was behind");
	if (!e && !p->trial)
		e = start(l, p, socket);
	close(socket);
	return e ? refuse(e, "--listen: %s", strerror(-e)) : 0;
}

void listen_announce(const struct listen *l)
{
	if (!l->feed)
		return;
	complain("packets are served on %s: wireshark -k -i TCP@%s", l->place, l->place);
	if (l->is_open_to_all)
		complain("warning: whoever reaches %s reads the packets%s: there is no password and no encryption",
			 l->place, l->has_keys ? " and the TLS keys" : "");
	else if (l->has_keys)
		complain(
			"warning: every user of this machine can read the packets and the TLS keys there");
}

bool listen_is_dead(struct listen *l)
{
	/* If we inherited an ignored SIGCHLD, waitpid() fails: then the child has ended, too. */
	if (!l->child || waitpid(l->child, NULL, WNOHANG) == 0)
		return false;
	l->child = 0;
	feed_end(l->feed);
	complain("the process that serves --listen has ended: nobody gets packets from %s any more",
		 l->place);
	return true;
}

static void wait_for_child(struct listen *l)
{
	uint64_t until = clock_monotonic() + END_NS;

	while (l->child && signals_stop < 2 &&
	       (clock_monotonic() < until || clock_monotonic() < l->state->moved + END_NS)) {
		if (waitpid(l->child, NULL, WNOHANG))
			l->child = 0;
		else
			clock_sleep(MOMENT_MS);
	}
	l->child = 0; /* it may still run, and ends by itself */
}

void listen_end(struct listen *l)
{
	uint64_t until = clock_monotonic() + PUSH_NS;

	if (!l->child)
		return;
	feed_finish(l->feed);
	while (feed_waits(l->feed) && signals_stop < 2 && clock_monotonic() < until) {
		clock_sleep(MOMENT_MS);
		feed_push(l->feed);
	}
	feed_end(l->feed);
	wait_for_child(l);
}

void listen_close(struct listen *l)
{
	if (l->child)
		feed_end(l->feed);
	wait_for_child(l);
	feed_close(l->feed);
	if (l->state)
		munmap(l->state, sizeof(*l->state));
	*l = (struct listen){.feed = NULL};
}
