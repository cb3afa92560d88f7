/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keeper.h"
#include "news.h"
#include "spaces.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/os/child.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/confine.h"
#include "util/buffer.h"
#include "util/descriptors.h"
#include "xdpdump/os/limits.h"

_Static_assert(KEEPER_PATTERNS >= INTERFACES_MAX, "a pattern each");

struct spaces {
	unsigned users;
	int socket;
	pid_t process;
	bool stopped, ended;
	bool late;  /* an awaited message did not come in time */
	bool empty; /* the last look for news found none */
	bool more;  /* at the last look the keeper had news that did not fit into the socket */
	atomic_uint *kept;
	struct space_name *at;
	unsigned count;
	size_t room;
};

/*
 * Looking at the namespaces of processes, also by a name that leads there, takes CAP_SYS_PTRACE;
 * reading a folder that is closed to user nobody takes CAP_DAC_READ_SEARCH.
 */
static int keep_capabilities(const struct child_user *u)
{
	const uint64_t needed = 1ull << CAP_SYS_ADMIN | 1ull << CAP_NET_RAW;
	const uint64_t wanted = 1ull << CAP_SYS_PTRACE | 1ull << CAP_DAC_READ_SEARCH;
	uint64_t held = child_capabilities();
	bool lacks_admin = !(held & 1ull << CAP_SYS_ADMIN),
	     lacks_raw = !(held & 1ull << CAP_NET_RAW);
	bool lacks_trace = !(held & 1ull << CAP_SYS_PTRACE);
	bool lacks_search = !(held & 1ull << CAP_DAC_READ_SEARCH);
	int e;

	if (lacks_admin || lacks_raw)
		return refuse(-EPERM, "entering network namespaces needs %s%s%s; run as root",
			      lacks_admin ? "CAP_SYS_ADMIN" : "",
			      lacks_admin && lacks_raw ? " and " : "",
			      lacks_raw ? "CAP_NET_RAW" : "");
	if (lacks_trace || lacks_search)
		complain("warning: without %s%s%s some network namespaces are not found; run as root",
			 lacks_trace ? "CAP_SYS_PTRACE" : "",
			 lacks_trace && lacks_search ? " and " : "",
			 lacks_search ? "CAP_DAC_READ_SEARCH" : "");
	e = child_keep_capabilities(u, held & (needed | wanted));
	return e ? refuse(e, "cannot give up capabilities: %s", strerror(-e)) : 0;
}

/*
 * Receive the filter program of the sockets, which does not exist yet when this process begins;
 * *program is -1 if there are to be no sockets. -EPIPE: the capture has ended before.
 */
static int receive_program(int socket, int *program)
{
	char byte;
	int n = descriptors_receive_all(socket, &byte, sizeof(byte), program, 1, 0);

	if (n == 0)
		*program = -1;
	return n < 0 ? n : 0;
}

/* Runs in the child. Closes all other descriptors: a pipe would not end while it is open here. */
static int keep(void *orders, int socket, const struct child_user *u)
{
	struct keeper_orders o = *(const struct keeper_orders *)orders;
	const int fds[] = {socket, o.home};
	int e;

	child_ignore_signals();
	limits_raise_descriptors(); /* each namespace takes two */
	if (child_keep_descriptors(fds, sizeof(fds) / sizeof(fds[0])))
		return EXIT_FAILURE;
	o.socket = STDERR_FILENO + 1;
	o.home = o.socket + 1;
	if (receive_program(o.socket, &o.program) || (o.program < 0 && o.sees_frames) ||
	    keep_capabilities(u))
		return EXIT_FAILURE;
	e = confine_keeping();
	if (e) /* capture even if the kernel has no seccomp */
		complain("warning: cannot set a seccomp filter: %s", strerror(-e));
	e = keeper_run(&o);
	if (e)
		complain("looking for network namespaces: %s", strerror(-e));
	return e ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int begin_keeper(struct spaces *s, struct keeper_orders o)
{
	o.kept = mmap(NULL, sizeof(*o.kept), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (o.kept == MAP_FAILED)
		return -errno;
	s->kept = o.kept;
	o.home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (o.home < 0)
		return -errno;
	s->socket = child_start(&s->process, SOCK_SEQPACKET, NULL, keep, &o);
	close(o.home);
	return s->socket < 0 ? s->socket : 0;
}

static int explain(int e)
{
	return e ? refuse(e, "cannot begin to look for network namespaces: %s", strerror(-e)) : 0;
}

int spaces_prepare(struct spaces **out, const struct keeper_orders *o)
{
	struct spaces *s = calloc(1, sizeof(*s));
	int e = s ? 0 : -ENOMEM;

	*out = NULL;
	if (!e) {
		*s = (struct spaces){.users = 1, .socket = -1, .process = -1};
		e = begin_keeper(s, *o);
	}
	if (e)
		spaces_close(s);
	else
		*out = s;
	return explain(e);
}

struct spaces *spaces_share(struct spaces *s)
{
	s->users++;
	return s;
}

int spaces_begin(struct spaces *s, int program)
{
	const char byte = 0;

	return explain(descriptors_send(s->socket, &byte, sizeof(byte), &program, program >= 0));
}

int spaces_fd(const struct spaces *s)
{
	return s->stopped ? -1 : s->socket;
}

struct space_name *spaces_find(const struct spaces *s, uint32_t netns)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->at[i].netns == netns)
			return &s->at[i];
	return NULL;
}

static void note_joined(struct spaces *s, const struct news *n)
{
	struct space_name *more = buffer_one_more(s->at, s->count, &s->room, sizeof(*more));
	char *name = more ? strdup(n->name) : NULL;

	s->at = more ? more : s->at;
	if (name) /* without memory spaces_find() does not find it */
		s->at[s->count++] = (struct space_name){n->netns, name, n->time};
}

static void note_left(struct spaces *s, struct news *n)
{
	struct space_name *at = spaces_find(s, n->netns);

	if (!at)
		return;
	snprintf(n->name, sizeof(n->name), "%s", at->name);
	free(at->name);
	*at = s->at[--s->count];
}

static bool receive(struct spaces *s, struct news *n)
{
	ssize_t got;

	if (s->ended)
		return false;
	/* Pairs with set_count() in outbox.c. */
	s->more = atomic_load_explicit(s->kept, memory_order_acquire) > 0;
	do
		got = recv(s->socket, n, sizeof(*n), MSG_DONTWAIT);
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)sizeof(*n)) {
		s->ended = got >= 0 || errno != EAGAIN;
		s->empty = true;
		return false;
	}
	s->empty = s->late = false;
	n->name[sizeof(n->name) - 1] = 0;
	n->ifname[sizeof(n->ifname) - 1] = 0;
	return true;
}

bool spaces_next(struct spaces *s, struct news *n)
{
	if (!receive(s, n))
		return false;
	if (n->kind == NEWS_JOIN)
		note_joined(s, n);
	else if (n->kind == NEWS_LEAVE)
		note_left(s, n);
	return true;
}

bool spaces_all_heard(const struct spaces *s)
{
	return s->ended || (s->empty && !s->more);
}

unsigned spaces_count(const struct spaces *s)
{
	return s->count;
}

bool spaces_ended(const struct spaces *s)
{
	return s->ended && !s->stopped;
}

void spaces_wait(const struct spaces *s, int timeout_ms)
{
	struct pollfd p = {.fd = s->socket, .events = POLLIN};

	poll(&p, 1, timeout_ms);
}

bool spaces_await(struct spaces *s, int timeout_ms)
{
	struct pollfd p = {.fd = s->socket, .events = POLLIN};

	if (s->ended || (s->empty && (!s->more || s->late)))
		return false;
	s->late = s->empty && poll(&p, 1, timeout_ms) <= 0; /* not waited for again */
	return !s->late;
}

/* Sends a message. What the keeper has sent before is about records that may be read later. */
void spaces_stop(struct spaces *s)
{
	if (!s || s->stopped)
		return;
	s->stopped = true;
	send(s->socket, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void spaces_close(struct spaces *s)
{
	if (!s || --s->users)
		return;
	if (s->socket >= 0)
		close(s->socket); /* the keeper sees that, even while it waits for us to read */
	if (s->process > 0)
		while (waitpid(s->process, NULL, 0) < 0 && errno == EINTR)
			;
	for (unsigned i = 0; i < s->count; i++)
		free(s->at[i].name);
	free(s->at);
	if (s->kept)
		munmap(s->kept, sizeof(*s->kept));
	free(s);
}
