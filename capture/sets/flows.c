/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "flows.h"
#include "util/clock.h"
#include "util/grace.h"

#define FRONT_BITS_EACH 16u /* two of these are set: 1 of 70 other flows passes in vain */
/* Lines of flows that are gone are not reused until the halves are exchanged: room for a quarter
 * more. */
#define LINES_EACH	2u
#define USED_MOST(most) ((most) + (most) / 4)

static uint32_t front_lines(uint32_t most)
{
	return (uint32_t)((uint64_t)most * FRONT_BITS_EACH / (SETS_LINE * 8)) + 1;
}

static uint32_t table_lines(uint32_t most)
{
	return FLOWS_LINES_LEAST + LINES_EACH * USED_MOST(most);
}

static uint32_t half_lines(uint32_t most)
{
	return 1 + front_lines(most) + table_lines(most);
}

uint32_t flows_lines(uint32_t most)
{
	return 2 * half_lines(most);
}

static void *line_at(const struct flows *f, uint32_t line)
{
	return (char *)f->map + (size_t)line * SETS_LINE;
}

/*
 * The places of a half's parts are computed here, as in flows_begin(). The head in the map has them
 * for the programs, but it is not trusted: an application that has dropped its privileges can write
 * there, and the process that reads its files has not dropped them.
 */
static uint64_t *front_of(const struct flows *f)
{
	return line_at(f, f->head + 1);
}

static struct flows_line *table_of(const struct flows *f)
{
	return line_at(f, f->head + 1 + front_lines(f->most));
}

static uint64_t hash_of(const struct flows *f, const struct flows_key *k)
{
	const struct flows_head *h = line_at(f, f->head);

	return flows_hash(h->seed, k);
}

static uint64_t new_seed(void)
{
	uint64_t seed;

	return getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == (ssize_t)sizeof(seed)
		       ? seed
		       : clock_monotonic() * 0x9e3779b97f4a7c15ull;
}

static void count(struct flows *f)
{
	const struct flows_line *l = table_of(f);

	f->count = f->used = 0;
	for (uint32_t i = 0; i < table_lines(f->most); i++) {
		f->count += l[i].state == FLOWS_STOPPED;
		f->used += l[i].state != FLOWS_FREE;
	}
}

void flows_take(struct flows *f, void *map, uint32_t *active, uint32_t first, uint32_t most)
{
	uint32_t head = __atomic_load_n(active, __ATOMIC_RELAXED); /* it may change at any time */

	*f = (struct flows){.map = map,
			    .active = active,
			    .first = first,
			    .half = half_lines(most),
			    .most = most};
	if (head == f->first || head == f->first + f->half) {
		f->head = head;
		count(f);
	}
}

void flows_begin(struct flows *f)
{
	struct flows_head *h;

	f->head = f->first + (*f->active == f->first ? f->half : 0);
	f->count = f->used = 0;
	h = line_at(f, f->head);
	memset(h, 0, (size_t)f->half * SETS_LINE);
	h->seed = new_seed();
	h->front = f->head + 1;
	h->front_words = front_lines(f->most) * 8;
	h->table = h->front + front_lines(f->most);
	h->table_lines = table_lines(f->most);
}

/* Programs that were running during the exchange may still use the old half; when they end, it is
 * free. */
void flows_exchange(struct flows *f)
{
	bool first = !*f->active;

	/* Pairs with the programs' read: the place that they search depends on it. */
	__atomic_store_n(f->active, f->head, __ATOMIC_RELEASE);
	if (!first)
		grace_wait();
}

static bool is_same(const struct flows_key *a, const struct flows_key *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* The line that has the flow, or the free one where it belongs. NULL: neither is within reach. */
static struct flows_line *find_line(const struct flows *f, uint64_t hash, const struct flows_key *k)
{
	uint32_t lines = table_lines(f->most), at = SETS_BELOW(hash, lines);
	uint32_t step = FLOWS_STEP(hash, lines);

	for (unsigned i = 0; i < FLOWS_PROBES; i++) {
		struct flows_line *l = table_of(f) + at;

		if (l->state == FLOWS_FREE || (l->state == FLOWS_STOPPED && is_same(&l->key, k)))
			return l;
		at += step++;
		if (at >= lines)
			at -= lines;
	}
	return NULL;
}

/* Written in this order because programs look at the front before the state, and at the state
 * before the key. */
static int put(struct flows *f, const struct flows_key *k)
{
	uint64_t hash = hash_of(f, k);
	uint64_t *front = front_of(f) + SETS_BELOW(hash >> 32, front_lines(f->most) * 8);
	struct flows_line *l = find_line(f, hash, k);

	if (l && l->state == FLOWS_STOPPED)
		return 1;
	if (!l || f->count >= f->most || f->used >= USED_MOST(f->most))
		return -ENOSPC;
	l->key = *k;
	/* Pairs with the programs' read of the state: a key that they see in part matches no
	 * frame. */
	__atomic_store_n(&l->state, FLOWS_STOPPED, __ATOMIC_RELEASE);
	__atomic_store_n(front, *front | SETS_FRONT_BITS(hash), __ATOMIC_RELEASE);
	f->count++;
	f->used++;
	return 0;
}

/* Copies all but those that are gone. */
static int copy_to_other_half(struct flows *f)
{
	const struct flows_line *l = table_of(f);
	int e = 0;

	flows_begin(f);
	for (uint32_t i = 0; i < table_lines(f->most) && e >= 0; i++)
		if (l[i].state == FLOWS_STOPPED)
			e = put(f, &l[i].key);
	if (e < 0)
		flows_take(f, f->map, f->active, f->first, f->most);
	else
		flows_exchange(f);
	return e;
}

/* A half that is not in use has no flow that is gone. */
int flows_put(struct flows *f, const struct flows_key *k)
{
	int e = put(f, k);

	if (e == -ENOSPC && f->count < f->used && f->head == *f->active && f->count < f->most &&
	    copy_to_other_half(f) >= 0)
		e = put(f, k);
	return e;
}

int flows_remove(struct flows *f, const struct flows_key *k)
{
	struct flows_line *l = find_line(f, hash_of(f, k), k);

	if (!l || l->state != FLOWS_STOPPED)
		return -ENOENT;
	/* Nothing is written before it that this store must order. */
	__atomic_store_n(&l->state, FLOWS_GONE, __ATOMIC_RELAXED);
	f->count--;
	return 0;
}
