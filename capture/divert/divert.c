/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capture/attach/facts/memory.h"
#include "divert.h"

#define MEMORY_DEFAULT	 (16u << 20) /* per queue: a burst of 8192 frames */
#define VLAN_TAGS_LENGTH 8	     /* an interface carries two tags beyond its MTU */
#define ETHERNET_LENGTH	 14

static bool is_wanted(const struct afxdp_options *o, uint32_t queue)
{
	return o->queues[queue / 64] & 1ull << queue % 64;
}

/* Count the queues to divert; -EINVAL: one that is named does not exist. */
static int count_queues(const struct afxdp_options *o, unsigned queues, char *err, size_t size)
{
	bool all = !options_name_queues(o);
	int n = 0;

	if (all && o->sock_fds.count && o->sock_fds.count <= queues)
		return (int)o->sock_fds.count;
	if (all && queues <= CAPTURE_QUEUES_MAX)
		return (int)queues;
	if (all) {
		snprintf(err, size,
			 "%s has %u queues, more than the %u that one capture takes: name some, as in queues=0-63",
			 o->ifname, queues, CAPTURE_QUEUES_MAX);
		return -EINVAL;
	}
	for (uint32_t q = 0; q < CAPTURE_QUEUES_MAX; q++) {
		if (is_wanted(o, q) && q >= queues) {
			snprintf(err, size,
				 "%s has no receive queue %u, but %u, counted from 0 (ethtool -l %s)",
				 o->ifname, q, queues, o->ifname);
			return -EINVAL;
		}
		n += is_wanted(o, q);
	}
	return n;
}

int divert_check_queues(const struct afxdp_options *o, const struct facts *f, char *err,
			size_t size)
{
	struct facts now = *f;
	int count;

	if (!options_name_queues(o))
		return 0;
	facts_count_queues(o->ifname, &now);
	count = count_queues(o, now.queues, err, size);
	return count < 0 ? count : 0;
}

/* Without the capability to lock more memory: stay within what anybody may lock. */
static uint64_t within_limit(uint64_t size, unsigned count)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return size;
	/* Buffers for sending are an eighth more, on one queue. */
	while (size > RING_SIZE_MIN && size * count + size / 8 > limit.rlim_cur)
		size /= 2;
	return size;
}

static uint64_t choose_memory(const struct afxdp_options *o, unsigned count)
{
	uint64_t size = options_ring_size(o, count, MEMORY_DEFAULT, memory_total());

	return o->sock_fds.count && !o->ring_size ? within_limit(size, count) : size;
}

uint32_t divert_frame_max(const struct facts *f)
{
	return f->mtu + ETHERNET_LENGTH + VLAN_TAGS_LENGTH;
}

struct xsk *divert_sender(const struct divert *d)
{
	return d->count && d->sockets[0].tx_count ? &d->sockets[0] : NULL;
}

bool divert_needs_program(const struct facts *f)
{
	return strcmp(f->driver, "virtio_net") == 0;
}

/*
 * virtio_net receives on more queues while a program is attached. A zero-copy socket on one of
 * these is left behind when the program is detached, and the next attachment crashes the kernel in
 * xp_alloc_batch() (seen on 6.18 and 7.2).
 */
static bool may_be_zero_copy(const struct facts *before, uint32_t queue)
{
	return !divert_needs_program(before) || before->all_queues || queue < before->queues;
}

/*
 * In zero-copy mode these drivers tell the card the room in a buffer in KiB, rounded down. A buffer
 * of 2048 bytes, less XDP's headroom, becomes 1024, and the rest of a longer frame arrives as
 * another frame (igb, seen on 7.3; igc and, for the 82599, ixgbe do the same according to their
 * source).
 */
static bool counts_in_kib(const struct facts *f)
{
	return strcmp(f->driver, "igb") == 0 || strcmp(f->driver, "igc") == 0 ||
	       strcmp(f->driver, "ixgbe") == 0;
}

static int allow_zero_copy(struct xsk_config *c, const struct facts *before, char *err, size_t size)
{
	if (may_be_zero_copy(before, c->queue) || c->zero_copy == CAPTURE_ZERO_COPY_OFF)
		return 0;
	if (c->zero_copy == CAPTURE_ZERO_COPY_AUTO) {
		c->zero_copy = CAPTURE_ZERO_COPY_OFF;
		return 0;
	}
	snprintf(err, size,
		 "queue %u of %s is there only while a program is attached, and zero-copy on it can crash a kernel with virtio_net: leave it to zero-copy=auto, or set all queues before (ethtool -L %s combined ...)",
		 c->queue, c->ifname, c->ifname);
	return -EINVAL;
}

/*
 * For a trial: open the socket in copy mode, without asking the driver. Whether a queue can have
 * zero-copy would show only then; but drivers declare if they have none (Linux 6.3).
 */
static int prepare_trial(struct xsk_config *c, const struct facts *f, char *err, size_t size)
{
	if (c->zero_copy == CAPTURE_ZERO_COPY_ON && !facts_may_have_zero_copy(f))
		return xsk_explain(-EOPNOTSUPP, c, err, size);
	c->zero_copy = CAPTURE_ZERO_COPY_OFF;
	return 0;
}

static int open_one(struct xsk *x, const struct xsk_config *c, int map, char *err, size_t size)
{
	int e = xsk_open(x, c, err, size), fd;

	if (e || c->fd)
		return e;
	fd = xsk_fd(x);
	if (bpf_map_update_elem(map, &c->queue, &fd, BPF_ANY) == 0)
		return 0;
	e = -errno;
	snprintf(err, size, "cannot put the socket of queue %u into the XSKMAP: %s", c->queue,
		 strerror(-e));
	return e;
}

/* Sockets that nobody asked for are only worth it with zero-copy: without it the rings are
 * better. */
static enum capture_zero_copy wanted_zero_copy(const struct afxdp_options *o)
{
	return options_ask_for_sockets(o) ? o->zero_copy : CAPTURE_ZERO_COPY_ON;
}

int divert_open(struct divert *d, const struct afxdp_options *o, const struct facts *f, int map,
		bool asks_driver, char *err, size_t size)
{
	struct facts now = *f;
	int count, e = 0;

	facts_count_queues(o->ifname, &now);
	count = count_queues(o, now.queues, err, size);
	if (count >= 0 && o->sock_fds.count && (unsigned)count != o->sock_fds.count) {
		snprintf(err, size,
			 "sock-fds= has %u descriptors, for %d queues of %s: give one for each queue",
			 o->sock_fds.count, count, o->ifname);
		count = -EINVAL;
	}
	if (count < 0)
		return count;
	if (o->trial && o->sock_fds.count) /* they can be used only once */
		return 0;
	d->sockets = calloc((size_t)count, sizeof(*d->sockets));
	if (!d->sockets) {
		snprintf(err, size, "out of memory");
		return -ENOMEM;
	}
	for (uint32_t q = 0; q < now.queues && d->count < (unsigned)count && !e; q++) {
		struct xsk_config c = {.ifname = o->ifname,
				       .queue = q,
				       .memory = choose_memory(o, (unsigned)count),
				       .frame_max = divert_frame_max(f),
				       .whole_kib = counts_in_kib(f),
				       .interface_id = o->interface_ids[SIDE_RECEIVED],
				       .snaplen = o->snaplen,
				       .zero_copy = wanted_zero_copy(o),
				       .busy_poll = o->busy_poll,
				       .asks_driver = asks_driver,
				       .foreign = d->foreign,
				       .fd = o->sock_fds.count ? o->sock_fds.fd[d->count] : 0,
				       .sends = d->count == 0 && q < now.tx_queues};

		if (options_name_queues(o) && (q >= CAPTURE_QUEUES_MAX || !is_wanted(o, q)))
			continue;
		e = allow_zero_copy(&c, f, err, size);
		if (!e && o->trial)
			e = prepare_trial(&c, f, err, size);
		if (e)
			break;
		e = open_one(&d->sockets[d->count], &c, map, err, size);
		d->zero_copy += d->sockets[d->count].zero_copy;
		d->count++;
	}
	if (e)
		divert_close(d);
	return e;
}

void divert_close(struct divert *d)
{
	for (unsigned i = 0; i < d->count; i++) {
		xsk_close(&d->sockets[i]);
		if (d->owns && d->sockets[i].fd)
			close(d->sockets[i].fd);
	}
	free(d->sockets);
	*d = (struct divert){.count = 0};
}

void divert_describe(const struct divert *d, char *text, size_t size)
{
	const char *s = d->count == 1 ? "" : "s";

	if (d->zero_copy && d->zero_copy < d->count)
		snprintf(text, size, "%u queues, %u of them zero-copy", d->count, d->zero_copy);
	else
		snprintf(text, size, "%u queue%s, %s", d->count, s,
			 d->zero_copy ? "zero-copy" : "copy mode");
}

void divert_count(const struct divert *d, struct afxdp_stats *s, uint64_t *received)
{
	*received = 0;
	for (unsigned i = 0; i < d->count; i++) {
		const struct xsk *x = &d->sockets[i];
		struct xsk_counts c = {0};

		xsk_count(x, &c);
		s->lost_socket += c.dropped + c.ring_full;
		s->fill_empty += c.fill_empty;
		s->truncated += x->torn;
		*received += __atomic_load_n(&x->received, __ATOMIC_RELAXED);
	}
}
