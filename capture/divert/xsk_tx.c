/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/if_ether.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "util/clock.h"
#include "xsk_tx.h"

#define PATIENCE_NS NS_PER_SEC
#define LOOK_MS	    1

int xsk_tx_open(struct xsk_tx *t, struct xsk *x, uint32_t frame_max)
{
	*t = (struct xsk_tx){.frame_max = frame_max};
	t->free = calloc(x->tx_count, sizeof(*t->free));
	if (!t->free)
		return -ENOMEM;
	for (uint32_t i = 0; i < x->tx_count; i++)
		t->free[i] = (uint64_t)(x->buffer_count + i) * x->buffer_size;
	t->free_count = x->tx_count;
	t->xsk = x;
	return 0;
}

void xsk_tx_close(struct xsk_tx *t)
{
	free(t->free);
	*t = (struct xsk_tx){.xsk = NULL};
}

static uint32_t parts_of(const struct xsk_tx *t, size_t length)
{
	return (uint32_t)((length + t->xsk->buffer_size - 1) / t->xsk->buffer_size);
}

bool xsk_tx_takes(const struct xsk_tx *t, size_t length)
{
	return t->xsk && length >= ETH_HLEN && length <= t->frame_max &&
	       parts_of(t, length) <= t->xsk->tx_count;
}

/* The application can write to the rings: an address that is not a buffer for sending, or one too
 * many, is ignored. */
static bool is_to_send(const struct xsk *x, uint64_t address)
{
	uint64_t number = address / x->buffer_size;

	return address % x->buffer_size == 0 && number >= x->buffer_count &&
	       number < (uint64_t)x->buffer_count + x->tx_count;
}

/* Take back buffers that the kernel has finished with. */
static void take_back(struct xsk_tx *t)
{
	struct xsk_ring_cons *c = &t->xsk->completion;
	uint32_t at = 0, n = xsk_ring_cons__peek(c, t->xsk->tx_count, &at);

	for (uint32_t i = 0; i < n; i++) {
		uint64_t address = *xsk_ring_cons__comp_addr(c, at + i);

		if (is_to_send(t->xsk, address) && t->free_count < t->xsk->tx_count)
			t->free[t->free_count++] = address;
	}
	xsk_ring_cons__release(c, n);
}

/* Has the kernel taken all? Pairs with its release of the ring's consumer. */
static bool is_taken(const struct xsk_tx *t)
{
	return __atomic_load_n(t->xsk->tx.consumer, __ATOMIC_ACQUIRE) == t->xsk->tx.cached_prod;
}

/*
 * Make the kernel send what is in the ring. In copy mode it does so in this call, and only then;
 * with zero-copy the call is needed only if the ring says that the driver is not working on it.
 */
static int call_kernel(const struct xsk_tx *t)
{
	if (!xsk_ring_prod__needs_wakeup(&t->xsk->tx))
		return 0;
	return sendto(xsk_fd(t->xsk), NULL, 0, MSG_DONTWAIT, NULL, 0) < 0 ? -errno : 0;
}

/* Wait until something has changed, or for a moment. In copy mode this also sends. */
static void wait_a_moment(const struct xsk_tx *t)
{
	struct pollfd p = {.fd = xsk_fd(t->xsk), .events = POLLOUT};
	struct timespec moment = {.tv_nsec = LOOK_MS * NS_PER_MS};

	/* Writable means that the ring has places, which are not what is lacking. */
	if (poll(&p, 1, LOOK_MS) > 0)
		nanosleep(&moment, NULL);
}

static int get_buffers(struct xsk_tx *t, uint32_t n, bool wait)
{
	uint64_t begun = 0;

	take_back(t);
	while (t->free_count < n) {
		call_kernel(t);
		take_back(t);
		if (t->free_count >= n)
			break;
		if (!begun)
			begun = clock_monotonic();
		if (!wait || clock_monotonic() - begun > PATIENCE_NS)
			return -EAGAIN;
		wait_a_moment(t);
		take_back(t);
	}
	return 0;
}

/* Copy the frame into n buffers, and put these into the ring. */
static void put(struct xsk_tx *t, const uint8_t *frame, size_t length, uint32_t n)
{
	struct xsk *x = t->xsk;
	uint32_t at = 0;

	xsk_ring_prod__reserve(&x->tx, n, &at);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t part = length < x->buffer_size ? (uint32_t)length : x->buffer_size;
		uint64_t address = t->free[--t->free_count];

		memcpy(xsk_umem__get_data(x->memory, address), frame, part);
		*xsk_ring_prod__tx_desc(&x->tx, at + i) = (struct xdp_desc){
			.addr = address,
			.len = part,
			.options = i + 1 < n ? XDP_PKT_CONTD : 0,
		};
		frame += part;
		length -= part;
	}
	xsk_ring_prod__submit(&x->tx, n);
}

/* Take the last n descriptors out of the ring, which the kernel has not looked at yet. */
static void withdraw(struct xsk_tx *t, uint32_t n)
{
	struct xsk_ring_prod *r = &t->xsk->tx;

	r->cached_prod -= n;
	for (uint32_t i = 0; i < n; i++)
		t->free[t->free_count++] = xsk_ring_prod__tx_desc(r, r->cached_prod + i)->addr;
	/* Pairs with the kernel's read of producer, as does the store in
	 * xsk_ring_prod__submit(). */
	__atomic_store_n(r->producer, r->cached_prod, __ATOMIC_RELEASE);
}

/* Was the first call for a frame refused before the kernel looked at the ring? */
static int refused(const struct xsk_tx *t, int e)
{
	if (e == -ENETDOWN || e == -ENXIO)
		return e;
	/* Copy mode: the queue does not exist, after ethtool -L. */
	if (!e && !t->xsk->zero_copy && !is_taken(t))
		return -EOPNOTSUPP;
	return 0;
}

/* Call the kernel until it has taken all, if it sends during the call. */
static int push(struct xsk_tx *t, int e, bool alone, bool wait)
{
	uint64_t begun = clock_monotonic();
	int result = 0;

	while (e) {
		if (e == -EBUSY && !t->xsk->zero_copy && alone)
			result = -ENOBUFS; /* "completed but not sent": the only frame there was */
		else if (e != -EAGAIN && e != -EBUSY && e != -ENOBUFS)
			break; /* the error of a later call: the frame stays in the ring */
		else if (!wait || clock_monotonic() - begun > PATIENCE_NS)
			break;
		else
			wait_a_moment(t);
		e = call_kernel(t);
		if (result)
			break;
	}
	__atomic_store_n(&t->pending, e != 0, __ATOMIC_RELAXED);
	return result;
}

int xsk_tx_send(struct xsk_tx *t, const void *frame, size_t length, bool wait)
{
	uint32_t n = parts_of(t, length);
	int e = get_buffers(t, n, wait), first;
	bool alone;

	if (e)
		return e;
	alone = is_taken(t);
	put(t, frame, length, n);
	first = call_kernel(t);
	if (!first && is_taken(t)) { /* as is nearly always so */
		__atomic_store_n(&t->pending, false, __ATOMIC_RELAXED);
		return 0;
	}
	e = refused(t, first);
	if (e) {
		withdraw(t, n);
		return e;
	}
	return push(t, first, alone, wait);
}

bool xsk_tx_flush(struct xsk_tx *t)
{
	if (!__atomic_load_n(&t->pending, __ATOMIC_RELAXED))
		return false;
	/* First, so that what the sender finds pending meanwhile stays so. Pairs with its store
	 * after a call. */
	__atomic_store_n(&t->pending, false, __ATOMIC_SEQ_CST);
	if (!call_kernel(t))
		return false;
	__atomic_store_n(&t->pending, true, __ATOMIC_RELAXED);
	return true;
}
