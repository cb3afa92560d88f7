/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ring.h"

static int map_twice(struct feed_ring *r, int fd)
{
	uint8_t *at = mmap(NULL, 2 * r->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return -errno;
	for (int i = 0; i < 2; i++)
		if (mmap(at + (size_t)i * r->size, r->size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			return -errno;
	r->memory = at;
	return 0;
}

int feed_ring_open(struct feed_ring *r, size_t size)
{
	int fd = memfd_create("packets", MFD_CLOEXEC), e = 0;

	*r = (struct feed_ring){.size = size};
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)size))
		e = -errno;
	if (!e)
		e = map_twice(r, fd);
	close(fd);
	return e;
}

void feed_ring_put(struct feed_ring *r, const void *bytes, size_t n)
{
	memcpy(feed_ring_at(r, r->head), bytes, n);
	r->head += n;
}
