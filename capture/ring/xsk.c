/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/if_link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#include "util/clock.h"
#include "util/uapi.h"
#include "xsk.h"
#include "xsk_borrowed.h"

#define BUSY_POLL_US	 20 /* the values of the kernel's AF_XDP documentation */
#define BUSY_POLL_BUDGET 64
#define BUFFER_SMALL	 2048u
#define BUFFER_LARGE	 4096u /* the maximum is a page */
/* Buffers go back to the kernel in batches; each batch costs one store. */
#define RELEASE_BATCH 64u
/* Buffers for sending: an eighth of those for receiving, at most as many as the completion ring
 * takes. */
#define TX_SHARE  8u
#define TX_MAX	  ((uint32_t)XSK_RING_CONS__DEFAULT_NUM_DESCS)
#define HUGE_PAGE (2ull << 20)
/* When a capture has just ended, the kernel takes a moment to close its sockets: try again for this
 * long. */
#define BUSY_TRIES 100
#define BUSY_NS	   (10 * NS_PER_MS)

/* --- Opening and closing. --- */

/* The longest frame that a card writes into one buffer. */
static uint32_t room_of_card(const struct xsk_config *c, uint32_t buffer_size)
{
	uint32_t room = buffer_size - XSK_HEADROOM;

	return c->whole_kib ? room / 1024 * 1024 : room;
}

static uint32_t choose_buffer_size(const struct xsk_config *c)
{
	if (c->zero_copy != CAPTURE_ZERO_COPY_OFF && c->frame_max > room_of_card(c, BUFFER_SMALL))
		return BUFFER_LARGE;
	return c->frame_max + XSK_HEADROOM + sizeof(struct divert_meta) + XSK_TRAILER_MAX <=
			       BUFFER_SMALL
		       ? BUFFER_SMALL
		       : BUFFER_LARGE;
}

static bool needs_parts(const struct xsk *x, const struct xsk_config *c, bool zero_copy)
{
	if (zero_copy && c->frame_max > room_of_card(c, x->buffer_size))
		return true;
	return c->frame_max + XSK_HEADROOM + sizeof(struct divert_meta) > x->buffer_size;
}

/*
 * Use huge pages if there are any, for fewer TLB misses. Shared, as the rings are: a daemon may
 * read in a child of the process that has opened the capture.
 */
static int map_memory(struct xsk *x, uint64_t receive)
{
	uint64_t size;
	void *p;

	x->buffer_count = (uint32_t)(receive / x->buffer_size);
	if (x->tx_count)
		x->tx_count = x->buffer_count / TX_SHARE;
	if (x->tx_count > TX_MAX)
		x->tx_count = TX_MAX;
	size = receive + (uint64_t)x->tx_count * x->buffer_size;
	/* Huge pages can only be unmapped whole. */
	size = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB, -1,
		 0);

	if (p == MAP_FAILED)
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return -errno;
	madvise(p, size, MADV_HUGEPAGE);
	x->memory = p;
	x->mapped = size;
	x->assembly = malloc(XSK_ASSEMBLY_SIZE);
	return x->assembly ? 0 : -ENOMEM;
}

/*
 * In copy mode, header, 64 bytes of frame and options then fill two cache lines instead of three. A
 * card writes whole lines, and expects the frame at the start of one.
 */
static uint32_t choose_headroom(bool zero_copy)
{
	return zero_copy ? 0 : sizeof(struct divert_meta);
}

static int make_umem(struct xsk *x, bool zero_copy)
{
	const struct xsk_umem_config config = {.fill_size = x->buffer_count,
					       .comp_size = XSK_RING_CONS__DEFAULT_NUM_DESCS,
					       .frame_size = x->buffer_size,
					       .frame_headroom = choose_headroom(zero_copy)};
	uint64_t size = (uint64_t)x->buffer_size * (x->buffer_count + x->tx_count);

	return xsk_umem__create(&x->umem, x->memory, size, &x->fill, &x->completion, &config);
}

/* Call it before the socket is bound, because drivers then fill their rings from it. */
static void give_all(struct xsk *x)
{
	uint32_t at = 0; /* the ring has a place for each buffer */

	xsk_ring_prod__reserve(&x->fill, x->buffer_count, &at);
	for (uint32_t i = 0; i < x->buffer_count; i++)
		*xsk_ring_prod__fill_addr(&x->fill, at + i) = (uint64_t)i * x->buffer_size;
	xsk_ring_prod__submit(&x->fill, x->buffer_count);
}

static int bind_as(struct xsk *x, const struct xsk_config *c, uint16_t flags)
{
	const struct timespec pause = {.tv_nsec = BUSY_NS};
	const struct xsk_socket_config config = {.rx_size = x->buffer_count,
						 .tx_size = x->tx_count,
						 .libxdp_flags =
							 XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
						 .bind_flags = XDP_USE_NEED_WAKEUP | flags};
	int e = -EBUSY;

	for (int i = 0; i < BUSY_TRIES && e == -EBUSY; i++) {
		if (i)
			nanosleep(&pause, NULL);
		if (x->fd) {
			e = xsk_borrowed_bind(x, c->ifname, c->queue, config.bind_flags);
			continue;
		}
		e = xsk_socket__create(&x->socket, c->ifname, c->queue, x->umem, &x->rx,
				       x->tx_count ? &x->tx : NULL, &config);
	}
	return e;
}

static int bind_socket(struct xsk *x, const struct xsk_config *c, bool zero_copy)
{
	uint16_t parts = needs_parts(x, c, zero_copy) ? XDP_USE_SG : 0;
	int e;

	if (x->fd)
		return bind_as(x, c, (zero_copy ? XDP_ZEROCOPY : XDP_COPY) | parts);
	e = make_umem(x, zero_copy);
	if (e)
		return e;
	give_all(x);
	e = bind_as(x, c, (zero_copy ? XDP_ZEROCOPY : XDP_COPY) | parts);
	if (e) {
		xsk_umem__delete(x->umem);
		x->umem = NULL;
	}
	return e;
}

static int bind_best(struct xsk *x, const struct xsk_config *c)
{
	int e = x->fd ? xsk_borrowed_setup(x, choose_headroom(false)) : 0;

	if (e)
		return e;
	if (x->fd)
		give_all(x);
	e = -EOPNOTSUPP;
	if (c->zero_copy != CAPTURE_ZERO_COPY_OFF)
		e = bind_socket(x, c, true);
	if (e && e != -EBUSY && e != -ENOBUFS && c->zero_copy != CAPTURE_ZERO_COPY_ON)
		e = bind_socket(x, c, false);
	return e;
}

static int confirm_mode(struct xsk *x)
{
	struct xdp_options o = {0};
	socklen_t length = sizeof(o);

	if (getsockopt(xsk_fd(x), SOL_XDP, XDP_OPTIONS, &o, &length))
		return -errno;
	x->zero_copy = o.flags & XDP_OPTIONS_ZEROCOPY;
	return 0;
}

/* Set all options or none: with only some of them neither side polls. */
static int set_busy_poll(struct xsk *x)
{
	const int names[] = {SO_PREFER_BUSY_POLL, SO_BUSY_POLL, SO_BUSY_POLL_BUDGET};
	int values[] = {1, BUSY_POLL_US, BUSY_POLL_BUDGET}, off = 0;

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!setsockopt(xsk_fd(x), SOL_SOCKET, names[i], &values[i], sizeof(values[i])))
			continue;
		values[0] = -errno;
		while (i-- > 0)
			setsockopt(xsk_fd(x), SOL_SOCKET, names[i], &off, sizeof(off));
		return values[0];
	}
	x->busy_poll = true;
	return 0;
}

int xsk_explain(int e, const struct xsk_config *c, char *err, size_t size)
{
	const char *n = c->ifname;
	uint32_t q = c->queue;

	if (e == -ENOBUFS || e == -ENOMEM)
		snprintf(err, size,
			 "no memory for the %llu KiB of buffers of queue %u of %s: give a smaller ring=, raise ulimit -l, or give CAP_IPC_LOCK",
			 (unsigned long long)c->memory >> 10, q, n);
	else if (e == -EBUSY && c->fd)
		snprintf(err, size,
			 "queue %u of %s has an AF_XDP socket already, or the one of descriptor %d was used before",
			 q, n, c->fd);
	else if (e == -EBUSY)
		snprintf(err, size,
			 "queue %u of %s has an AF_XDP socket already: end that program, or name other queues, as in queues=1-3",
			 q, n);
	else if (c->zero_copy == CAPTURE_ZERO_COPY_ON)
		snprintf(err, size,
			 "queue %u of %s refuses a zero-copy socket: %s; leave it to zero-copy=auto",
			 q, n, strerror(-e));
	else
		snprintf(err, size, "cannot bind an AF_XDP socket to queue %u of %s: %s", q, n,
			 strerror(-e));
	return e;
}

int xsk_open(struct xsk *x, const struct xsk_config *c, char *err, size_t size)
{
	int e;

	*x = (struct xsk){.queue = c->queue,
			  .interface_id = c->interface_id,
			  .snaplen = c->snaplen,
			  .asks_driver = c->asks_driver,
			  .foreign = c->foreign,
			  .fd = c->fd,
			  .tx_count = c->sends,
			  .buffer_size = choose_buffer_size(c)};
	e = map_memory(x, c->memory);
	if (!e)
		e = bind_best(x, c);
	if (!e)
		e = confirm_mode(x);
	if (e) {
		xsk_explain(e, c, err, size);
	} else if (c->busy_poll && (e = set_busy_poll(x)) != 0) {
		snprintf(err, size, "the kernel refuses busy-poll=on: %s", strerror(-e));
	}
	if (e)
		xsk_close(x);
	return e;
}

void xsk_close(struct xsk *x)
{
	xsk_socket__delete(x->socket);
	x->socket = NULL;
	if (x->umem)
		xsk_umem__delete(x->umem);
	x->umem = NULL;
	xsk_borrowed_close(x);
	if (x->memory)
		munmap(x->memory, x->mapped);
	x->memory = NULL;
	free(x->assembly);
	x->assembly = NULL;
}

int xsk_fd(const struct xsk *x)
{
	return x->fd ? x->fd : xsk_socket__fd(x->socket);
}

int xsk_count(const struct xsk *x, struct xsk_counts *c)
{
	struct xdp_statistics s = {0};
	socklen_t length = sizeof(s);

	if (getsockopt(xsk_fd(x), SOL_XDP, XDP_STATISTICS, &s, &length))
		return -errno;
	/* In copy mode, a frame for which there is no buffer counts in both the first and the
	 * last. */
	*c = (struct xsk_counts){.dropped = s.rx_dropped,
				 .ring_full = s.rx_ring_full,
				 .fill_empty = s.rx_fill_ring_empty_descs};
	return 0;
}

/* --- The rings. --- */

/* Half of the buffers wait for the reader: if frames are lost, it is now. */
static void look_for_losses(struct xsk *x)
{
	struct xsk_counts c;

	if (x->peeked - x->released >= x->buffer_count / 2 && xsk_count(x, &c) == 0)
		x->lost = c.dropped + c.ring_full;
}

uint64_t xsk_look(struct xsk *x, uint64_t position)
{
	uint64_t whole;
	uint32_t first = 0;

	x->receive = (uint64_t)x->buffer_count * x->buffer_size;
	xsk_release(x, position);
	if (x->busy_poll || xsk_ring_prod__needs_wakeup(&x->fill))
		recvfrom(xsk_fd(x), NULL, 0, MSG_DONTWAIT, NULL, NULL);
	x->peeked += xsk_ring_cons__peek(&x->rx, x->buffer_count, &first);
	if (x->peeked - x->released > x->buffer_count) { /* more frames than there are buffers */
		x->corrupted = true;
		return position;
	}
	look_for_losses(x);
	for (whole = x->peeked; whole > position && xsk_goes_on(xsk_descriptor(x, whole - 1));
	     whole--)
		;
	return whole;
}

/* Pairs with the kernel's release of the ring's producer: everything before it is written. */
static uint32_t written(const struct xsk *x)
{
	return __atomic_load_n(x->rx.producer, __ATOMIC_ACQUIRE);
}

bool xsk_is_readable(const struct xsk *x, uint64_t position)
{
	return written(x) != (uint32_t)position;
}

bool xsk_has(const struct xsk *x, uint64_t position)
{
	uint32_t end = written(x), at = (uint32_t)position;

	if (end - at > x->buffer_count) /* impossible: xsk_look() will say so */
		return true;
	while (at != end && xsk_goes_on(xsk_descriptor(x, at)))
		at++;
	return at != end;
}

void xsk_release(struct xsk *x, uint64_t position)
{
	uint32_t n = (uint32_t)(position - x->released), at;

	if (n < RELEASE_BATCH && position != x->peeked)
		return;
	/* There is room, because the ring has a place for every buffer. */
	if (!n || !xsk_ring_prod__reserve(&x->fill, n, &at))
		return;
	for (uint32_t i = 0; i < n; i++)
		*xsk_ring_prod__fill_addr(&x->fill, at + i) =
			xsk_descriptor(x, x->released + i)->addr;
	xsk_ring_prod__submit(&x->fill, n);
	xsk_ring_cons__release(&x->rx, n);
	x->released = position;
}
