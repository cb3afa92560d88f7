/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "xsk_borrowed.h"

static int set(int fd, int name, const void *value, socklen_t size)
{
	return setsockopt(fd, SOL_XDP, name, value, size) ? -errno : 0;
}

static int register_memory(const struct xsk *x, uint32_t headroom)
{
	const struct xdp_umem_reg r = {
		.addr = (uintptr_t)x->memory,
		.len = (uint64_t)x->buffer_size * (x->buffer_count + x->tx_count),
		.chunk_size = x->buffer_size,
		.headroom = headroom,
	};

	return set(x->fd, XDP_UMEM_REG, &r, sizeof(r));
}

static int make_rings(const struct xsk *x)
{
	const uint32_t completion = XSK_RING_CONS__DEFAULT_NUM_DESCS;
	int e = set(x->fd, XDP_UMEM_FILL_RING, &x->buffer_count, sizeof(x->buffer_count));

	if (!e)
		e = set(x->fd, XDP_UMEM_COMPLETION_RING, &completion, sizeof(completion));
	if (!e)
		e = set(x->fd, XDP_RX_RING, &x->buffer_count, sizeof(x->buffer_count));
	if (!e && x->tx_count)
		e = set(x->fd, XDP_TX_RING, &x->tx_count, sizeof(x->tx_count));
	return e;
}

/* Fills in a struct xsk_ring_prod or struct xsk_ring_cons, which have the same members. */
#define FILL_IN(r, base, off, count)                                                               \
	do {                                                                                       \
		(r)->mask = (count)-1;                                                             \
		(r)->size = (count);                                                               \
		(r)->producer = (void *)((base) + (off)->producer);                                \
		(r)->consumer = (void *)((base) + (off)->consumer);                                \
		(r)->flags = (void *)((base) + (off)->flags);                                      \
		(r)->ring = (base) + (off)->desc;                                                  \
	} while (0)

static uint8_t *map_ring(struct xsk *x, unsigned number, const struct xdp_ring_offset *off,
			 size_t size, off_t at)
{
	void *p = mmap(NULL, off->desc + size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
		       x->fd, at);

	if (p == MAP_FAILED)
		return NULL;
	x->borrowed[number].at = p;
	x->borrowed[number].size = off->desc + size;
	return p;
}

static int map_producer(struct xsk *x, unsigned number, struct xsk_ring_prod *r,
			const struct xdp_ring_offset *off, uint32_t count, size_t entry, off_t at)
{
	uint8_t *p = map_ring(x, number, off, count * entry, at);

	if (!p)
		return -errno;
	FILL_IN(r, p, off, count);
	r->cached_prod = 0;
	r->cached_cons = count; /* as in libxdp: consumer's position plus size */
	return 0;
}

static int map_consumer(struct xsk *x, unsigned number, struct xsk_ring_cons *r,
			const struct xdp_ring_offset *off, uint32_t count, size_t entry, off_t at)
{
	uint8_t *p = map_ring(x, number, off, count * entry, at);

	if (!p)
		return -errno;
	FILL_IN(r, p, off, count);
	r->cached_prod = r->cached_cons = 0;
	return 0;
}

/* Two of these offsets are 4 GiB or more. */
_Static_assert(sizeof(off_t) >= sizeof(XDP_UMEM_PGOFF_FILL_RING), "configure: AC_SYS_LARGEFILE");

static int map_rings(struct xsk *x)
{
	struct xdp_mmap_offsets off;
	socklen_t size = sizeof(off);
	int e;

	if (getsockopt(x->fd, SOL_XDP, XDP_MMAP_OFFSETS, &off, &size))
		return -errno;
	e = map_producer(x, 0, &x->fill, &off.fr, x->buffer_count, sizeof(uint64_t),
			 XDP_UMEM_PGOFF_FILL_RING);
	if (!e)
		e = map_consumer(x, 1, &x->completion, &off.cr, XSK_RING_CONS__DEFAULT_NUM_DESCS,
				 sizeof(uint64_t), XDP_UMEM_PGOFF_COMPLETION_RING);
	if (!e)
		e = map_consumer(x, 2, &x->rx, &off.rx, x->buffer_count, sizeof(struct xdp_desc),
				 XDP_PGOFF_RX_RING);
	if (!e && x->tx_count)
		e = map_producer(x, 3, &x->tx, &off.tx, x->tx_count, sizeof(struct xdp_desc),
				 XDP_PGOFF_TX_RING);
	return e;
}

int xsk_borrowed_setup(struct xsk *x, uint32_t headroom)
{
	int e = register_memory(x, headroom);

	if (!e)
		e = make_rings(x);
	return e ? e : map_rings(x);
}

int xsk_borrowed_bind(struct xsk *x, const char *ifname, uint32_t queue, uint16_t flags)
{
	const struct sockaddr_xdp to = {.sxdp_family = AF_XDP,
					.sxdp_flags = flags,
					.sxdp_ifindex = if_nametoindex(ifname),
					.sxdp_queue_id = queue};

	return bind(x->fd, (const struct sockaddr *)&to, sizeof(to)) ? -errno : 0;
}

void xsk_borrowed_close(struct xsk *x)
{
	for (unsigned i = 0; i < XSK_RINGS; i++)
		if (x->borrowed[i].at) {
			munmap(x->borrowed[i].at, x->borrowed[i].size);
			x->borrowed[i].at = NULL;
		}
}
