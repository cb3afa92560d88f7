/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#include "clock.h"
#include "xsk.h"

/* uapi since 6.6. */
#ifndef XDP_USE_SG
#define XDP_USE_SG (1 << 4)
#endif
#ifndef XDP_PKT_CONTD
#define XDP_PKT_CONTD (1 << 0)
#endif
/* uapi since 5.11. */
#ifndef SO_PREFER_BUSY_POLL
#define SO_PREFER_BUSY_POLL 69
#define SO_BUSY_POLL_BUDGET 70
#endif

#define BUSY_POLL_US	 20 /* as the kernel's AF_XDP documentation has them */
#define BUSY_POLL_BUDGET 64
#define BUFFER_SMALL	 2048u
#define BUFFER_LARGE	 4096u /* a page is the most there is */
/* What XDP keeps free in front of a frame (XDP_PACKET_HEADROOM). */
#define HEADROOM 256u
/* Buffers go back to the kernel in batches, which costs one store each. */
#define RELEASE_BATCH 64u
#define FETCH_AHEAD   16u /* frames */
/* A socket of a capture that has just ended is taken down behind its back: try again for so long.
 */
#define BUSY_TRIES 100
#define BUSY_NS	   (10 * NS_PER_MS)
/* Behind the frame: options, the longest there are, and the end. */
#define TRAILER_MAX                                                                                \
	(sizeof(struct epb_options) + sizeof(struct epb_dropcount) + sizeof(struct epb_nic_time) + \
	 sizeof(struct epb_hash) + sizeof(struct epb_end))
#define ASSEMBLY_SIZE (sizeof(struct epb_header) + XDP_SNAPLEN_MAX + 1 + TRAILER_MAX + BUFFER_LARGE)

/* --- Opening and closing. --- */

static uint32_t choose_buffer_size(const struct xsk_config *c)
{
	return c->frame_max + HEADROOM + TRAILER_MAX <= BUFFER_SMALL ? BUFFER_SMALL : BUFFER_LARGE;
}

static bool needs_parts(const struct xsk *x, const struct xsk_config *c)
{
	return c->frame_max + HEADROOM > x->buffer_size;
}

/* Huge pages where there are any: fewer TLB misses. Not inherited: a fork would have to copy it. */
static int map_memory(struct xsk *x, uint64_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (p == MAP_FAILED)
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return -errno;
	madvise(p, size, MADV_HUGEPAGE);
	madvise(p, size, MADV_DONTFORK);
	x->memory = p;
	x->buffer_count = (uint32_t)(size / x->buffer_size);
	x->assembly = malloc(ASSEMBLY_SIZE);
	return x->assembly ? 0 : -ENOMEM;
}

static int make_umem(struct xsk *x)
{
	const struct xsk_umem_config config = {.fill_size = x->buffer_count,
					       .comp_size = XSK_RING_CONS__DEFAULT_NUM_DESCS,
					       .frame_size = x->buffer_size};
	uint64_t size = (uint64_t)x->buffer_size * x->buffer_count;

	return xsk_umem__create(&x->umem, x->memory, size, &x->fill, &x->completion, &config);
}

/* Before the socket is bound: drivers fill their rings from it then. */
static void give_all(struct xsk *x)
{
	uint32_t at = 0; /* there is a place for each */

	xsk_ring_prod__reserve(&x->fill, x->buffer_count, &at);
	for (uint32_t i = 0; i < x->buffer_count; i++)
		*xsk_ring_prod__fill_addr(&x->fill, at + i) = (uint64_t)i * x->buffer_size;
	xsk_ring_prod__submit(&x->fill, x->buffer_count);
}

static int bind_as(struct xsk *x, const struct xsk_config *c, uint16_t flags)
{
	const struct timespec pause = {.tv_nsec = BUSY_NS};
	const struct xsk_socket_config config = {.rx_size = x->buffer_count,
						 .libxdp_flags =
							 XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
						 .bind_flags = XDP_USE_NEED_WAKEUP | flags};
	int e = -EBUSY;

	for (int i = 0; i < BUSY_TRIES && e == -EBUSY; i++) {
		if (i)
			nanosleep(&pause, NULL);
		e = xsk_socket__create(&x->socket, c->ifname, c->queue, x->umem, &x->rx, NULL,
				       &config);
	}
	return e;
}

static int bind_socket(struct xsk *x, const struct xsk_config *c)
{
	uint16_t parts = needs_parts(x, c) ? XDP_USE_SG : 0;
	int e = -EOPNOTSUPP;

	if (c->zero_copy != CAPTURE_ZERO_COPY_OFF)
		e = bind_as(x, c, XDP_ZEROCOPY | parts);
	if (e && e != -EBUSY && e != -ENOBUFS && c->zero_copy != CAPTURE_ZERO_COPY_ON)
		e = bind_as(x, c, XDP_COPY | parts);
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

/* All of it or nothing: half of it makes neither side poll. */
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

static int explain(int e, const struct xsk_config *c, char *err, size_t size)
{
	const char *n = c->ifname;
	uint32_t q = c->queue;

	if (e == -ENOBUFS || e == -ENOMEM)
		snprintf(err, size,
			 "no memory for the %llu KiB of buffers of queue %u of %s: give a smaller "
			 "ring=, raise ulimit -l, or give CAP_IPC_LOCK",
			 (unsigned long long)c->memory >> 10, q, n);
	else if (e == -EBUSY)
		snprintf(err, size,
			 "queue %u of %s has an AF_XDP socket already: end that program, or name "
			 "other queues, as in queues=1-3",
			 q, n);
	else if (c->zero_copy == CAPTURE_ZERO_COPY_ON)
		snprintf(err, size,
			 "queue %u of %s takes no zero-copy socket: %s; leave it to "
			 "zero-copy=auto",
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
			  .buffer_size = choose_buffer_size(c)};
	e = map_memory(x, c->memory);
	if (!e)
		e = make_umem(x);
	if (!e) {
		give_all(x);
		e = bind_socket(x, c);
	}
	if (!e)
		e = confirm_mode(x);
	if (e) {
		explain(e, c, err, size);
	} else if (c->busy_poll && (e = set_busy_poll(x)) != 0) {
		snprintf(err, size, "the kernel refuses busy-poll=on: %s", strerror(-e));
	}
	if (e)
		xsk_close(x);
	return e;
}

void xsk_close(struct xsk *x)
{
	uint64_t size = (uint64_t)x->buffer_size * x->buffer_count;

	xsk_socket__delete(x->socket);
	x->socket = NULL;
	if (x->umem)
		xsk_umem__delete(x->umem);
	x->umem = NULL;
	if (x->memory)
		munmap(x->memory, size);
	x->memory = NULL;
	free(x->assembly);
	x->assembly = NULL;
}

int xsk_fd(const struct xsk *x)
{
	return xsk_socket__fd(x->socket);
}

int xsk_count(const struct xsk *x, struct xsk_counts *c)
{
	struct xdp_statistics s = {0};
	socklen_t length = sizeof(s);

	if (getsockopt(xsk_fd(x), SOL_XDP, XDP_STATISTICS, &s, &length))
		return -errno;
	/* In copy mode a frame for which there is no buffer is in the first and in the last. */
	*c = (struct xsk_counts){.dropped = s.rx_dropped,
				 .ring_full = s.rx_ring_full,
				 .fill_empty = s.rx_fill_ring_empty_descs};
	return 0;
}

/* --- Records out of frames. --- */

static const struct xdp_desc *descriptor(const struct xsk *x, uint64_t position)
{
	return xsk_ring_cons__rx_desc(&x->rx, (uint32_t)position);
}

static uint8_t *frame_of(const struct xsk *x, const struct xdp_desc *d)
{
	return xsk_umem__get_data(x->memory, d->addr);
}

static bool goes_on(const struct xdp_desc *d)
{
	return d->options & XDP_PKT_CONTD;
}

/*
 * A frame in parts, in one piece, with what lies in front of it. Returns its first byte. Parts that
 * the kernel did not deliver are missing at the end: *length is what there is.
 */
static uint8_t *assemble(struct xsk *x, uint64_t position, uint32_t *length)
{
	const struct xdp_desc *d = descriptor(x, position);
	uint8_t *frame = x->assembly + HEADROOM;
	uint32_t n = d->len;

	memcpy(frame - HEADROOM / 2, frame_of(x, d) - HEADROOM / 2, HEADROOM / 2 + n);
	for (x->taken = 1; goes_on(d); x->taken++) {
		d = descriptor(x, position + x->taken);
		if (n + d->len <= XDP_SNAPLEN_MAX)
			memcpy(frame + n, frame_of(x, d), d->len);
		n += d->len;
	}
	*length = n > XDP_SNAPLEN_MAX ? XDP_SNAPLEN_MAX : n;
	return frame;
}

/* The tag back behind the addresses, which move into the room in front. */
static uint8_t *put_tag_back(uint8_t *frame, uint32_t tag)
{
	uint8_t *first = frame - sizeof(tag);

	memmove(first, frame, 12);
	tag = htonl(tag);
	memcpy(first + 12, &tag, sizeof(tag));
	return first;
}

/* What is put behind a frame. */
struct trailer {
	struct epb_options options;
	struct epb_dropcount drops;
	struct epb_hash hash;
	struct epb_nic_time time;
	uint32_t total; /* length of the whole record */
	bool has_drops, has_hash, has_time;
};

static void tell_driver(struct trailer *t, const struct divert_told *d)
{
	if (d->hash_algorithm) {
		uint32_t value = htonl(d->hash);

		t->has_hash = true;
		t->hash.option = EPB_OPT_HASH;
		t->hash.algorithm = (uint8_t)(d->hash_algorithm - 1);
		memcpy(t->hash.value, &value, sizeof(value));
	}
	if (d->nic_time_low || d->nic_time_high) {
		t->has_time = true;
		t->time =
			(struct epb_nic_time){EPB_OPT_NIC_TIME, d->nic_time_low, d->nic_time_high};
	}
}

static void tell_drops(struct xsk *x, struct trailer *t)
{
	uint64_t drops = x->lost - x->told;

	x->told = x->lost;
	t->has_drops = true;
	t->drops =
		(struct epb_dropcount){EPB_OPT_DROPCOUNT, (uint32_t)drops, (uint32_t)(drops >> 32)};
}

static void append(uint8_t **at, const void *option, size_t size)
{
	memcpy(*at, option, size);
	*at += size;
}

static void write_trailer(uint8_t *at, const struct trailer *t)
{
	const struct epb_end end = {0, t->total};

	append(&at, &t->options, sizeof(t->options));
	if (t->has_drops)
		append(&at, &t->drops, sizeof(t->drops));
	if (t->has_hash)
		append(&at, &t->hash, sizeof(t->hash));
	if (t->has_time)
		append(&at, &t->time, sizeof(t->time));
	append(&at, &end, sizeof(end));
}

static uint32_t trailer_length(const struct trailer *t)
{
	return sizeof(t->options) + (t->has_drops ? sizeof(t->drops) : 0) +
	       (t->has_hash ? sizeof(t->hash) : 0) + (t->has_time ? sizeof(t->time) : 0) +
	       sizeof(struct epb_end);
}

/* The record around frame, of which there are length bytes; the room is there. */
static void write_record(struct xsk *x, const struct divert_meta *m, struct trailer *t,
			 uint8_t *frame, uint32_t length)
{
	struct epb_header *h = (void *)(frame - sizeof(*h));
	uint32_t caplen = m->keep < x->snaplen ? m->keep : x->snaplen;

	if (caplen > length)
		caplen = length;
	t->total = (uint32_t)sizeof(*h) + EPB_PADDED(caplen) + trailer_length(t);
	*h = (struct epb_header){.type = EPB_TYPE,
				 .total_length = t->total,
				 .interface_id = x->interface_id,
				 .time_high = m->time_high,
				 .time_low = m->time_low,
				 .caplen = caplen,
				 .len = m->length + (m->tag ? (uint32_t)sizeof(m->tag) : 0)};
	memset(frame + caplen, 0, EPB_PADDED(caplen) - caplen);
	write_trailer(frame + EPB_PADDED(caplen), t);
	x->record = h;
}

/* Does what is behind a frame of length bytes fit into its buffer? */
static bool has_room(const struct xsk *x, const struct xdp_desc *d, uint32_t length)
{
	uint64_t in_buffer = d->addr & (x->buffer_size - 1);

	return in_buffer + EPB_PADDED(length) + TRAILER_MAX <= x->buffer_size;
}

/*
 * The kernel's CPU has just written what is in front of a frame and its first bytes, and the place
 * behind it will be written: fetch these lines while frames before it are worked on.
 */
static void fetch_ahead(const struct xsk *x, uint64_t position)
{
	const uint8_t *frame;

	if (position + FETCH_AHEAD >= x->peeked)
		return;
	frame = frame_of(x, descriptor(x, position + FETCH_AHEAD));
	__builtin_prefetch(frame - sizeof(struct divert_meta), 1);
	__builtin_prefetch(frame, 1);
	__builtin_prefetch(frame + 64, 1);
}

const struct epb_header *xsk_find(struct xsk *x, uint64_t position)
{
	const struct xdp_desc *d = descriptor(x, position);
	struct trailer t = {.options = {EPB_OPT_FLAGS, EPB_FLAG_INBOUND, EPB_OPT_QUEUE, x->queue,
					EPB_OPT_PACKETID, 0, 0}};
	struct divert_meta m;
	uint32_t length = d->len;
	uint8_t *frame;

	if (x->taken && x->at == position)
		return x->record;
	fetch_ahead(x, position);
	x->at = position;
	x->taken = 1;
	if (!goes_on(d) && has_room(x, d, length))
		frame = frame_of(x, d);
	else
		frame = assemble(x, position, &length);
	memcpy(&m, frame - sizeof(m), sizeof(m));
	t.options.packetid_low = m.packetid_low;
	t.options.packetid_high = m.packetid_high;
	if (m.valid & DIVERT_TOLD)
		tell_driver(&t, (void *)(frame - sizeof(m) - sizeof(struct divert_told)));
	if (x->lost != x->told)
		tell_drops(x, &t);
	if (length < m.length)
		x->torn++;
	x->received++;
	if (m.tag) {
		frame = put_tag_back(frame, m.tag);
		length += sizeof(m.tag);
	}
	write_record(x, &m, &t, frame, length);
	return x->record;
}

/* --- The rings. --- */

/* Half of the buffers wait for the reader: if frames are lost, then now. */
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

	xsk_release(x, position);
	if (x->busy_poll || xsk_ring_prod__needs_wakeup(&x->fill))
		recvfrom(xsk_fd(x), NULL, 0, MSG_DONTWAIT, NULL, NULL);
	x->peeked += xsk_ring_cons__peek(&x->rx, x->buffer_count, &first);
	look_for_losses(x);
	for (whole = x->peeked; whole > position && goes_on(descriptor(x, whole - 1)); whole--)
		;
	return whole;
}

bool xsk_has(const struct xsk *x, uint64_t position)
{
	return __atomic_load_n(x->rx.producer, __ATOMIC_ACQUIRE) != (uint32_t)position;
}

void xsk_release(struct xsk *x, uint64_t position)
{
	uint32_t n = (uint32_t)(position - x->released), at;

	if (n < RELEASE_BATCH && position != x->peeked)
		return;
	/* There is room: the ring has a place for every buffer. */
	if (!n || !xsk_ring_prod__reserve(&x->fill, n, &at))
		return;
	for (uint32_t i = 0; i < n; i++)
		*xsk_ring_prod__fill_addr(&x->fill, at + i) = descriptor(x, x->released + i)->addr;
	xsk_ring_prod__submit(&x->fill, n);
	xsk_ring_cons__release(&x->rx, n);
	x->released = position;
}
