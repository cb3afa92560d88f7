/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "util/clock.h"
#include "ring.h"

static off_t ring_offset(const struct ring_set *s, unsigned index)
{
	return (off_t)index * RING_VALUE_SIZE(s->size);
}

static int map_control(struct ring_set *s, int fd, unsigned index)
{
	void *p = mmap(NULL, RING_CONTROL_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		       ring_offset(s, index));

	if (p == MAP_FAILED)
		return -errno;
	s->ring[index].control = p;
	return 0;
}

/* Writable, as a packet socket's ring is: arpwatch swaps bytes in place. It is our copy. */
static int map_data(struct ring_set *s, int fd, unsigned index)
{
	void *p = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		       ring_offset(s, index) + RING_CONTROL_SIZE);

	if (p == MAP_FAILED)
		return -errno;
	s->ring[index].data = p;
	return 0;
}

void ring_set_init(struct ring_set *s, uint64_t ring_size)
{
	s->size = ring_size;
	s->chunk_shift = (unsigned)__builtin_ctzll(RING_CHUNK(ring_size));
}

int ring_set_map_control(struct ring_set *s, int fd, unsigned count, uint64_t ring_size)
{
	int e;

	s->ring = calloc(count, sizeof(*s->ring));
	if (!s->ring)
		return -ENOMEM;
	s->count = s->controlled = count;
	ring_set_init(s, ring_size);
	for (unsigned i = 0; i < count; i++) {
		e = map_control(s, fd, i);
		if (e) {
			ring_set_unmap(s);
			return e;
		}
	}
	return 0;
}

int ring_set_map(struct ring_set *s, int fd, unsigned count, uint64_t ring_size)
{
	int e = ring_set_map_control(s, fd, count, ring_size);

	for (unsigned i = 0; i < count && !e; i++) {
		e = map_data(s, fd, i);
		if (e)
			ring_set_unmap(s);
	}
	return e;
}

static void ring_unmap(struct ring *r, uint64_t size)
{
	if (r->control)
		munmap(r->control, RING_CONTROL_SIZE);
	if (r->data)
		munmap((void *)r->data, size);
}

int ring_set_add(struct ring_set *s, struct xsk *socket)
{
	struct ring *more = realloc(s->ring, (s->count + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	s->ring = more;
	s->ring[s->count++] = (struct ring){.socket = socket};
	return 0;
}

void ring_set_unmap(struct ring_set *s)
{
	for (unsigned i = 0; s->ring && i < s->count; i++)
		ring_unmap(&s->ring[i], s->size);
	free(s->ring);
	s->ring = NULL;
	s->count = s->controlled = 0;
}

static void count_side(const struct ring_control *r, enum side i, struct afxdp_stats *s)
{
	uint64_t reentry = ring_counter(&r->lost_reentry[i]);
	uint64_t matched = ring_counter(&r->side[i].matched);
	uint64_t offered = ring_counter(&r->side[i].offered);

	s->offered += offered;
	s->matched += matched;
	s->lost_reentry += reentry;
	s->side_seen[i] += offered + reentry;
	s->side_matched[i] += matched + reentry;
	s->side_left_out[i] += ring_counter(&r->left_out[i]);
	s->side_lost[i] += ring_counter(&r->side[i].lost) + reentry;
}

void ring_count(const struct ring_control *r, struct afxdp_stats *s)
{
	for (enum side i = 0; i < SIDES; i++)
		count_side(r, i, s);
	s->lost_full += ring_counter(&r->lost_full);
	s->lost_copy += ring_counter(&r->lost_copy);
	s->truncated += ring_counter(&r->truncated);
	s->passed_watchdog += ring_counter(&r->passed_watchdog);
	s->rest_watchdog += ring_counter(&r->rest_watchdog);
	s->bells += ring_counter(&r->bells);
	s->sampled_out += ring_counter(&r->sampled_out);
	s->cut_frames += ring_counter(&r->cut_frames);
	s->cut_bytes += ring_counter(&r->cut_bytes);
}

void ring_set_looked(const struct ring_set *s, uint64_t now)
{
	for (unsigned i = 0; i < s->controlled; i++)
		__atomic_store_n(&s->ring[i].control->looked, now, __ATOMIC_RELAXED);
}

void ring_set_clock(struct ring_set *s, bool tai)
{
	int64_t offset = clock_offset(tai);

	for (unsigned i = 0; i < s->controlled; i++)
		__atomic_store_n(&s->ring[i].control->clock_offset, offset, __ATOMIC_RELAXED);
}
