/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/descriptors.h"
#include "config.h"
#include "loader_protocol.h"

/* Keeps to one deadline, however many signals interrupt; 0: none. */
static bool wait_ready(int fd, short events, uint64_t deadline)
{
	struct pollfd p = {.fd = fd, .events = events};
	int64_t left = deadline ? (int64_t)(deadline - clock_monotonic()) : -1;

	if (deadline && left <= 0)
		return false;
	return poll(&p, 1, deadline ? (int)(left / NS_PER_MS) + 1 : -1) >= 0 || errno == EINTR;
}

/* Evaluates the result of a transfer call: more bytes, nothing for now, or the end. */
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
	char *p = (char *)data; /* advance() serves both directions; nothing is written here */

	while (size)
		if (!wait_ready(fd, POLLOUT, deadline) ||
		    !advance(send(fd, p, size, MSG_NOSIGNAL | MSG_DONTWAIT), &p, &size))
			return false;
	return true;
}

/* Never sleeps in recv(): there, the kernel would not send it SIGCONT when the other end closes.
 * See wake_at_end(). */
bool loader_receive(int fd, void *data, size_t size, uint64_t deadline)
{
	char *p = data;

	while (size)
		if (!wait_ready(fd, POLLIN, deadline) ||
		    !advance(recv(fd, p, size, MSG_DONTWAIT), &p, &size))
			return false;
	return true;
}

_Static_assert(ATTACHMENT_FDS <= DESCRIPTORS_MAX, "they go at once");

bool loader_send_attachment(int fd, const struct attachment *a)
{
	int fds[ATTACHMENT_FDS];
	unsigned n = 0;

	for (unsigned i = 0; i < ATTACHMENT_FDS; i++)
		if (a->fd[i] >= 0)
			fds[n++] = a->fd[i];
	return descriptors_send(fd, a, sizeof(*a), fds, n) == 0;
}

/*
 * Put the received descriptors where the sender had some. If they do not fit, returns false and
 * closes them all.
 */
static bool place_fds(struct attachment *a, const int *fds, unsigned n)
{
	unsigned wanted = 0, used = 0;
	bool fit;

	for (unsigned i = 0; i < ATTACHMENT_FDS; i++)
		wanted += a->fd[i] >= 0;
	fit = n == wanted;
	for (unsigned i = 0; i < ATTACHMENT_FDS; i++)
		a->fd[i] = a->fd[i] >= 0 && fit ? fds[used++] : -1;
	if (!fit)
		descriptors_close(fds, n);
	return fit;
}

void loader_version(char version[LOADER_VERSION_SIZE])
{
	static const size_t sizes[] = {
		sizeof(struct loader_setup),   sizeof(struct loader_image),
		sizeof(struct loader_request), sizeof(struct loader_reply),
		sizeof(struct afxdp_options),  sizeof(struct attachment),
		sizeof(struct loader_news),    sizeof(struct loader_sets),
	};
	uint32_t layout = 0;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		layout = layout * 31 + (uint32_t)sizes[i];
	memset(version, 0, LOADER_VERSION_SIZE);
	snprintf(version, LOADER_VERSION_SIZE, "%s/%08x", PACKAGE_VERSION, layout);
}

struct loader_proof loader_proof_of(const struct attachment *a)
{
	const struct plan *p = &a->plan;
	struct loader_proof proof = {.plan = p->proof,
				     .at_tc = attachment_is_at_tc(a) || p->proof == PLAN_CHANGES,
				     .when_armed = p->divert || p->divert_by_ring,
				     .ifindex = a->facts.ifindex,
				     .counters = a->counters,
				     .place = a->place};

	memcpy(proof.rings, a->rings, sizeof(proof.rings));
	memcpy(proof.ifname, a->facts.name, sizeof(proof.ifname));
	return proof;
}

/* The descriptors come with the first bytes. */
int loader_receive_attachment(int fd, struct attachment *a, uint64_t deadline)
{
	int fds[ATTACHMENT_FDS];
	unsigned came = 0;
	ssize_t n = -EAGAIN;
	int e;

	while (n == -EAGAIN && wait_ready(fd, POLLIN, deadline)) {
		came = ATTACHMENT_FDS;
		n = descriptors_receive(fd, a, sizeof(*a), fds, &came, MSG_DONTWAIT);
	}
	e = n == -EMFILE || n == -ENFILE ? (int)n : -EPIPE;
	if (n <= 0 || !loader_receive(fd, (char *)a + n, sizeof(*a) - (size_t)n, deadline)) {
		descriptors_close(fds, came);
		attachment_init(a);
		return e;
	}
	a->warning[sizeof(a->warning) - 1] = 0;
	return place_fds(a, fds, came) ? 0 : -EPIPE;
}
