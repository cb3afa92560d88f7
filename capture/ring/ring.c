/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/clock.h"
#include "ring.h"

uint64_t ring_value_size(uint64_t ring_size, bool big)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t more = big ? RING_SLACK_BIG - RING_SLACK_SIZE : 0;

	return (RING_VALUE_SIZE(ring_size) + more + page - 1) & ~(page - 1);
}

uint64_t ring_chunk_size(uint64_t ring_size, bool big)
{
	return big && RING_CHUNK(ring_size) < RING_CHUNK_BIG ? RING_CHUNK_BIG
							     : RING_CHUNK(ring_size);
}

/* The process that made the map knew: the room behind a ring tells. */
static bool is_big(int fd, uint64_t ring_size)
{
	struct bpf_map_info info = {.value_size = 0};
	uint32_t length = sizeof(info);

	return bpf_obj_get_info_by_fd(fd, &info, &length) == 0 &&
	       info.value_size == ring_value_size(ring_size, true);
}

/*
 * Map the control page, and length bytes of the ring behind it. Writable, as a packet socket's ring
 * is: arpwatch swaps bytes in place. The memory is this capture's own.
 */
static int map_one(struct ring_set *s, int fd, unsigned number, unsigned index, uint64_t length)
{
	uint8_t *p = mmap(NULL, RING_CONTROL_SIZE + length, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  (off_t)(number * ring_value_size(s->size, s->big)));

	if (p == MAP_FAILED)
		return -errno;
	s->ring[index].control = (void *)p;
	s->ring[index].data = length ? p + RING_CONTROL_SIZE : NULL;
	s->ring[index].counted = calloc(1, sizeof(*s->ring[index].counted));
	s->ring[index].counted_at = clock_monotonic();
	return s->ring[index].counted ? 0 : -ENOMEM;
}

void ring_set_init(struct ring_set *s, uint64_t ring_size, bool big)
{
	s->size = ring_size;
	s->big = big;
	s->chunk_shift = (unsigned)__builtin_ctzll(ring_chunk_size(ring_size, big));
}

/* length: how many bytes of each ring to map. */
static int map_all(struct ring_set *s, const int *maps, const struct ring_place *place,
		   uint64_t length)
{
	unsigned in = 0;
	int e;

	*s = (struct ring_set){.count = 0};
	if (!place->maps.count || place->maps.count > RING_MAPS_MAX)
		return -EINVAL;
	*s = (struct ring_set){.ring = calloc(place->count, sizeof(*s->ring)),
			       .due = calloc(place->count, sizeof(*s->due))};
	ring_set_init(s, place->size, is_big(maps[0], place->size));
	if (!s->ring || !s->due) {
		ring_set_unmap(s);
		return -ENOMEM;
	}
	s->count = s->controlled = place->count;
	for (unsigned i = 0; i < s->count; i++) {
		while (in + 1 < place->maps.count && i >= place->maps.first[in + 1])
			in++;
		e = map_one(s, maps[in], i - place->maps.first[in], i, length);
		if (e) {
			ring_set_unmap(s);
			return e;
		}
	}
	return 0;
}

int ring_set_map(struct ring_set *s, const int *maps, const struct ring_place *place)
{
	return map_all(s, maps, place, place->size);
}

int ring_set_map_control(struct ring_set *s, const int *maps, const struct ring_place *place)
{
	return map_all(s, maps, place, 0);
}

static void ring_unmap(struct ring *r, uint64_t size)
{
	free(r->counted);
	if (r->control)
		munmap(r->control, RING_CONTROL_SIZE + (r->data ? size : 0));
}

int ring_set_add(struct ring_set *s, struct xsk *socket)
{
	struct ring *more = realloc(s->ring, (s->count + 1) * sizeof(*more));
	struct ring_due *due = realloc(s->due, (s->count + 1) * sizeof(*due));

	s->ring = more ? more : s->ring;
	s->due = due ? due : s->due;
	if (!more || !due)
		return -ENOMEM;
	s->ring[s->count++] = (struct ring){.socket = socket};
	return 0;
}

void ring_set_unmap(struct ring_set *s)
{
	for (unsigned i = 0; s->ring && i < s->count; i++)
		ring_unmap(&s->ring[i], s->size);
	free(s->ring);
	free(s->due);
	s->ring = NULL;
	s->due = NULL;
	s->count = s->controlled = 0;
}

#define COUNTERS_FROM offsetof(struct ring_control, side)
#define COUNTERS      ((offsetof(struct ring_control, tail) - COUNTERS_FROM) / sizeof(uint64_t))
#define NUMBER_OF(counter)                                                                         \
	((offsetof(struct ring_control, counter) - COUNTERS_FROM) / sizeof(uint64_t))
/* No CPU gets frames faster than this; the same again allows for clocks, and for frames before the
 * first call. */
#define FRAME_NS   4u
#define FRAMES_ANY (1u << 24)
#define FRAME_MAX  (1u << 20) /* bytes, and more than any has */

/* Is it a counter that cannot have grown this much? */
static bool is_wrong(size_t number, uint64_t growth, uint64_t frames)
{
	if (number == NUMBER_OF(pulled) ||
	    (number >= NUMBER_OF(watched_look) && number <= NUMBER_OF(looked_at)))
		return false;
	if (number == NUMBER_OF(cut_bytes))
		frames *= FRAME_MAX;
	return growth > frames;
}

static uint64_t *counters(const struct ring_control *r)
{
	return (uint64_t *)(uintptr_t)((const uint8_t *)r + COUNTERS_FROM);
}

static void copy_counters(uint64_t *to, const uint64_t *from)
{
	for (size_t i = 0; i < COUNTERS; i++)
		__atomic_store_n(to + i, __atomic_load_n(from + i, __ATOMIC_RELAXED),
				 __ATOMIC_RELAXED);
}

/* Two threads may call this at once: what the other one has seen meanwhile is not less than what
 * this one has. */
void ring_counts(struct ring *r, struct ring_control *to)
{
	uint64_t now = clock_monotonic(), *read = counters(to);
	uint64_t before = __atomic_load_n(&r->counted_at, __ATOMIC_RELAXED);
	uint64_t frames = (now > before ? now - before : 0) / FRAME_NS + FRAMES_ANY;

	copy_counters(read, counters(r->control));
	for (size_t i = 0; i < COUNTERS; i++) {
		uint64_t known = __atomic_load_n(counters(r->counted) + i, __ATOMIC_RELAXED);

		if ((int64_t)(read[i] - known) < 0) {
			read[i] = known;
		} else if (is_wrong(i, read[i] - known, frames)) {
			__atomic_store_n(&r->corrupted, true, __ATOMIC_RELAXED);
			copy_counters(read, counters(r->counted));
			return;
		}
	}
	copy_counters(counters(r->counted), read);
	__atomic_store_n(&r->counted_at, now, __ATOMIC_RELAXED);
}

static void count_side(const struct ring_control *r, enum side i, struct afxdp_stats *s)
{
	uint64_t reentry = r->lost_reentry[i];
	uint64_t matched = r->side[i].matched;
	uint64_t offered = r->side[i].offered;

	s->offered += offered;
	s->matched += matched;
	s->lost_reentry += reentry;
	s->side_seen[i] += offered + reentry;
	s->side_matched[i] += matched + reentry;
	s->side_left_out[i] += r->left_out[i];
	s->side_lost[i] += r->side[i].lost + reentry;
}

void ring_count(const struct ring_control *r, struct afxdp_stats *s)
{
	for (enum side i = 0; i < SIDES; i++)
		count_side(r, i, s);
	s->lost_full += r->lost_full;
	s->lost_copy += r->lost_copy;
	s->truncated += r->truncated;
	s->passed_watchdog += r->passed_watchdog;
	s->rest_watchdog += r->rest_watchdog;
	s->bells += r->bells;
	s->sampled_out += r->sampled_out;
	s->cut_frames += r->cut_frames;
	s->cut_bytes += r->cut_bytes;
	s->not_flows += r->not_flows;
	for (enum side i = 0; i < SIDES; i++)
		s->overwritten += r->overwritten[i];
}

#define GATES (RING_GATE_BEGINS | RING_GATE_ENDS)

/*
 * Only one thread writes these flags. The gate's time is stored before the gate: pairs with the
 * program's is_unwanted(), which reads gate last, after it has called the kernel.
 */
static void set_unwanted(const struct ring_set *s, uint32_t which, uint32_t flags)
{
	for (unsigned i = 0; i < s->controlled; i++) {
		struct ring_control *r = s->ring[i].control;

		__atomic_store_n(&r->unwanted, (r->unwanted & ~which) | flags, __ATOMIC_RELEASE);
	}
}

/* True if what another process has read lies where a reader may be, but this one is not. */
bool ring_set_has_other(const struct ring_set *s)
{
	for (unsigned i = 0; i < s->controlled; i++) {
		const struct ring *r = &s->ring[i];
		uint64_t tail = r->socket ? 0 : ring_counter(&r->control->tail);

		if (r->corrupted && tail > r->released && tail % 4 == 0 &&
		    tail <= ring_counter(&r->control->head))
			return true;
	}
	return false;
}

void ring_set_unwanted(const struct ring_set *s, uint32_t flags)
{
	set_unwanted(s, ~GATES, flags);
}

void ring_set_gate(const struct ring_set *s, uint32_t gates, uint64_t time)
{
	for (unsigned i = 0; i < s->controlled && gates; i++)
		__atomic_store_n(&s->ring[i].control->gate, time, __ATOMIC_RELAXED);
	set_unwanted(s, GATES, gates);
	for (unsigned i = 0; i < s->controlled && !gates; i++)
		__atomic_store_n(&s->ring[i].control->gate, time, __ATOMIC_RELAXED);
}

void ring_set_keep(const struct ring_set *s)
{
	for (unsigned i = 0; i < s->controlled; i++)
		__atomic_store_n(&s->ring[i].control->keep, 1, __ATOMIC_RELAXED);
}

void ring_set_take_over(struct ring_set *s)
{
	for (unsigned i = 0; i < s->controlled; i++) {
		struct ring *r = &s->ring[i];

		r->position = r->head = ring_counter(&r->control->given_back) << s->chunk_shift;
		ring_release(r);
	}
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

void ring_set_stir(const struct ring_set *s)
{
	for (unsigned i = 0; s->stirred && i < s->controlled; i++)
		ring_stir(s, i);
}

/*
 * How long a ring has to be silent. A program that published by a plain store before the timer
 * stopped, and saw the timer run, does not stir the ring: after this time such a record is visible.
 * Without the delay no record would be lost, because the timer rings; but the reader would only
 * find it then.
 */
#define LEFT_AFTER_NS NS_PER_SEC

/* Nothing is unread, the next record will start the timer, and the timer will ring. */
static bool is_silent(const struct ring *r)
{
	return !ring_has_more(r) && !ring_timer_runs(r) && ring_is_armed(r);
}

/* If a ring never held a record, its timer has never run. */
static bool is_long_silent(struct ring *r, uint64_t now)
{
	if (!is_silent(r))
		r->silent_since = 0;
	else if (r->head && !r->silent_since)
		r->silent_since = now;
	else
		return !r->head || now - r->silent_since > LEFT_AFTER_NS;
	return false;
}

void ring_set_leave(const struct ring_set *s, uint64_t now)
{
	for (unsigned i = ring_set_next(s, 0); i < s->controlled; i = ring_set_next(s, i + 1)) {
		if (!is_long_silent(&s->ring[i], now))
			continue;
		s->ring[i].silent_since = 0;
		ring_leave(s, i);
		if (!is_silent(&s->ring[i]))
			ring_stir(s, i);
	}
}
