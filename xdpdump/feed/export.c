/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "export.h"
#include "exporter.h"
#include "starter.h"
#include "util/clock.h"
#include "util/less.h"
#include "util/put_state.h"
#include "xdpdump/os/complain.h"

#define PROGRAM	 "pcapng-kafka"
#define QUIET_NS (5 * NS_PER_SEC) /* a loss has ended after this long without another */

/* Creates memory for both sides, which neither can shrink. Returns a descriptor or -errno. */
static int make_state(struct export *x)
{
	int fd = memfd_create(PROGRAM, MFD_CLOEXEC | MFD_ALLOW_SEALING), e = 0;
	void *p;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, sizeof(*x->state)) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		e = -errno;
	p = e ? MAP_FAILED
	      : mmap(NULL, sizeof(*x->state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED) {
		x->state = p;
		return fd;
	}
	e = e ? e : -errno;
	close(fd);
	return e;
}

int export_open(struct export *x, const char *place, int starter, unsigned stream, unsigned of)
{
	int sockets[2], memory, e;

	*x = (struct export){.socket = -1, .place = place};
	if (of)
		snprintf(x->name, sizeof(x->name), ", stream %u", stream);
	e = feed_open(&x->feed, PROGRAM " was behind");
	memory = e ? e : make_state(x);
	if (memory < 0)
		return memory;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets)) {
		e = -errno;
	} else {
		x->socket = sockets[0];
		e = starter_ask(starter, stream, of, sockets[1], memory);
		close(sockets[1]);
	}
	close(memory);
	return e;
}

static void close_socket(struct export *x)
{
	if (x->socket >= 0)
		close(x->socket);
	x->socket = -1;
}

/* Only the process that starts pcapng-kafka has the other end. */
bool export_has_ended(struct export *x)
{
	struct pollfd fd = {.fd = x->socket};
	int pipe;

	/* A pipe that still lies in the socket ends only when it is closed here. */
	while (x->state->is_over && x->socket >= 0 && (pipe = exporter_receive(x->socket)) >= 0)
		close(pipe);
	if (x->socket >= 0 && poll(&fd, 1, 0) == 1 && fd.revents & POLLHUP)
		close_socket(x);
	return x->socket < 0;
}

int export_is_ready(struct export *x)
{
	bool ended = !x->state->is_ready && export_has_ended(x);

	if (x->state->is_ready)
		return 0;
	return ended ? -ECHILD : -EAGAIN;
}

/* Print a line when a loss begins, and one after a while without any. */
static void tell_loss(struct export *x)
{
	uint64_t lost = feed_lost(x->feed), now = clock_monotonic();

	if (lost == x->lost) {
		if (!x->is_losing || now - x->lost_last < (uint64_t)QUIET_NS)
			return;
		x->is_losing = false;
		complain("no packets are lost any more on the way to %s%s: %" PRIu64
			 " were, in %" PRIu64 " s",
			 x->place, x->name, x->lost - x->lost_before,
			 (x->lost_last - x->lost_since) / (uint64_t)NS_PER_SEC + 1);
		return;
	}
	if (!x->is_losing) {
		x->lost_before = x->lost;
		x->lost_since = now;
		complain("packets are lost on the way to %s%s, because pcapng-kafka is %s",
			 x->place, x->name, feed_is_broken(x->feed) ? "not there" : "behind");
	}
	x->is_losing = true;
	x->lost = lost;
	x->lost_last = now;
}

int export_attend(struct export *x)
{
	int fd;

	tell_loss(x);
	if (x->socket < 0)
		return 0;
	if (!feed_is_broken(x->feed)) {
		feed_push(x->feed);
		return 0;
	}
	fd = exporter_receive(x->socket);
	if (fd >= 0) {
		feed_set_pipe(x->feed, fd);
		x->state->given = feed_given(x->feed);
		x->state->went = feed_went(x->feed);
		feed_push(x->feed);
		return 0;
	}
	if (fd == -EAGAIN || fd == -EINTR)
		return 0;
	complain("the process that starts " PROGRAM " has ended: nothing goes to %s%s any more",
		 x->place, x->name);
	close_socket(x);
	return -ECHILD;
}

bool export_waits(const struct export *x)
{
	return x->socket >= 0 && (feed_waits(x->feed) || feed_is_broken(x->feed));
}

void export_let_end(struct export *x)
{
	x->state->is_over = 1;
	feed_end(x->feed);
}

uint64_t export_done(const struct export *x)
{
	const struct put_state *s = x->state;

	return s->acknowledged + s->earlier + s->spooled + s->lost;
}

static uint64_t age(uint64_t since, uint64_t now)
{
	return since ? less(now, since) : 0;
}

/* What is left when everything has ended is lost, whoever had it. */
static void add_up(const struct export *x, struct export_status *st)
{
	st->behind = feed_lost(x->feed);
	st->packets = feed_packets(x->feed);
	st->left = less(st->packets, st->acknowledged + st->spooled);
	st->lost = st->behind + x->state->lost + x->state->vanished;
	if (st->lost > st->left || (x->state->is_over && x->socket < 0))
		st->lost = st->left;
}

/* Read it only once, because the other side may change it at any time. */
static unsigned trouble_of(const struct put_state *s)
{
	unsigned trouble = s->trouble;

	return trouble < PUT_TROUBLES_END ? trouble : PUT_OTHER;
}

/*
 * Packets that were in the spool before are sent first, and do not count. The number given is read
 * last, so that it is no less than the number acknowledged.
 */
void export_status(const struct export *x, struct export_status *st)
{
	const struct put_state *s = x->state;
	uint64_t before, sent_before, now = clock_monotonic();
	int64_t acknowledged;

	*st = (struct export_status){.place = NULL};
	if (!x->feed || !s)
		return;
	before = s->spool_begun;
	sent_before = s->earlier < before ? s->earlier : before;
	st->place = x->place;
	st->runs = s->runs;
	st->again = less(st->runs, 1);
	acknowledged = (int64_t)(s->acknowledged + s->earlier - sent_before - s->repeated);
	st->acknowledged = acknowledged > 0 ? (uint64_t)acknowledged : 0;
	st->spooled = less(s->spooled, before - sent_before);
	st->spool_bytes = s->spool_bytes;
	st->spool_age = age(s->spool_since, now);
	st->acknowledged_age = age(s->acknowledged_at, now);
	st->trouble = trouble_of(s);
	add_up(x, st);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void export_add(struct export_status *sum, const struct export_status *one)
{
	if (!sum->place)
		sum->place = one->place;
	sum->packets += one->packets;
	sum->runs += one->runs;
	sum->again += one->again;
	sum->acknowledged += one->acknowledged;
	sum->spooled += one->spooled;
	sum->spool_bytes += one->spool_bytes;
	sum->spool_age = larger(sum->spool_age, one->spool_age);
	sum->acknowledged_age = larger(sum->acknowledged_age, one->acknowledged_age);
	sum->lost += one->lost;
	sum->trouble = sum->trouble ? sum->trouble : one->trouble;
	sum->behind += one->behind;
	sum->left += one->left;
}

void export_close(struct export *x)
{
	if (x->feed)
		feed_end(x->feed);
	close_socket(x);
	if (x->state) {
		x->state->is_over = 1;
		munmap(x->state, sizeof(*x->state));
	}
	feed_close(x->feed);
	*x = (struct export){.socket = -1};
}
