/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "audience.h"
#include "pcapng/read.h"
#include "serve.h"
#include "util/clock.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/confine.h"

#define STAGE_SIZE  (1u << 20)	      /* several times the largest block */
#define PATIENCE_NS (3 * NS_PER_SEC)  /* wait for readers that take nothing, at the end */
#define LONGEST_NS  (30 * NS_PER_SEC) /* ... and for readers that take little */
#define LOOK_MS	    100
#define STALL_MS    1000       /* how often readers that take nothing are checked */
#define DEAF_NS	    NS_PER_SEC /* after accept() fails it is not tried for this long */

struct server {
	int pipe, listener; /* -1: closed */
	struct audience audience;
	struct serve_state *state;
	uint64_t ended; /* when the pipe ended, CLOCK_MONOTONIC */
	uint64_t deaf_until;
	size_t used;
	uint8_t stage[STAGE_SIZE];
};

static int take_blocks(struct server *s)
{
	struct pcapng_reader r = {.at = s->stage, .end = s->stage + s->used};
	struct pcapng_block b;
	int e = 0;

	while (!e && pcapng_next(&r, &b))
		e = audience_take(&s->audience, &b);
	s->used = (size_t)(r.end - r.at);
	memmove(s->stage, r.at, s->used);
	return e ? e : s->used == STAGE_SIZE ? -EBADMSG : 0;
}

static int read_pipe(struct server *s)
{
	ssize_t n = read(s->pipe, s->stage + s->used, STAGE_SIZE - s->used);

	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -errno;
	if (n == 0) {
		s->pipe = -1;
		s->ended = clock_monotonic();
		close(s->listener); /* the next capture may listen there */
		s->listener = -1;
		return 0;
	}
	s->used += (size_t)n;
	return take_blocks(s);
}

/* Send packets without delay, and notice peers that are gone without a word. */
static void prepare(int fd)
{
	static const int yes = 1, idle = 30, often = 10;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &often, sizeof(often));
}

static void accept_one(struct server *s)
{
	int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM))
		s->deaf_until = clock_monotonic() + DEAF_NS;
	if (fd < 0)
		return;
	prepare(fd);
	if (audience_join(&s->audience, fd))
		s->state->joined++;
	else
		s->state->refused++;
}

static void tell_state(struct server *s)
{
	s->state->clients = s->audience.count;
	s->state->lost = s->audience.lost;
	s->state->given_up = s->audience.given_up;
	s->state->moved = s->audience.moved;
}

/* The first two of fds are the pipe and the listener. */
static int attend(struct server *s, struct pollfd *fds, unsigned clients)
{
	int e = 0;

	if (fds[0].revents)
		e = read_pipe(s);
	audience_serve(&s->audience, fds + 2, clients);
	if (!e && fds[1].revents && s->listener >= 0 && audience_may_join(&s->audience)) {
		accept_one(s);
		audience_serve(&s->audience, NULL, 0); /* its beginning goes out at once */
	}
	tell_state(s);
	return e;
}

static bool goes_on(const struct server *s)
{
	uint64_t now, moved = s->audience.moved > s->ended ? s->audience.moved : s->ended;

	if (s->pipe >= 0)
		return true;
	now = clock_monotonic();
	return audience_waits(&s->audience) && now - moved < (uint64_t)PATIENCE_NS &&
	       now - s->ended < (uint64_t)LONGEST_NS;
}

static int wait_ms(const struct server *s)
{
	if (s->pipe < 0)
		return LOOK_MS;
	return s->deaf_until || audience_stalls(&s->audience) ? STALL_MS : -1;
}

/* May one more reader come? If not, it is not polled: poll() would return at once each time. */
static bool listens(struct server *s)
{
	if (s->deaf_until && clock_monotonic() >= s->deaf_until)
		s->deaf_until = 0;
	return s->pipe >= 0 && !s->deaf_until && audience_may_join(&s->audience);
}

static int serve_until_end(struct server *s)
{
	struct pollfd fds[CLIENTS_MAX + 2];
	int e = 0;

	while (!e && goes_on(s)) {
		unsigned clients = s->audience.count;

		fds[0] = (struct pollfd){.fd = s->pipe, .events = POLLIN};
		fds[1] = (struct pollfd){.fd = listens(s) ? s->listener : -1, .events = POLLIN};
		audience_list(&s->audience, fds + 2);
		if (poll(fds, clients + 2, wait_ms(s)) < 0 && errno != EINTR)
			e = -errno;
		else
			e = attend(s, fds, clients);
	}
	return e;
}

int serve(int pipe, int listener, bool is_pcap, struct serve_state *state)
{
	struct server *s = calloc(1, sizeof(*s));
	int e, filter;

	if (!s)
		return -ENOMEM;
	s->pipe = pipe;
	s->listener = listener;
	s->state = state;
	e = audience_open(&s->audience, is_pcap);
	if (!e) {
		filter = confine_serving();
		if (filter) /* serve even if the kernel has no seccomp */
			complain("warning: cannot set a seccomp filter: %s", strerror(-filter));
		e = serve_until_end(s);
	}
	audience_close(&s->audience);
	tell_state(s);
	free(s);
	return e;
}
