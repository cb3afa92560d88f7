/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One ring of a capture and what it takes to read it alone: a merge and a wait over a set of rings
 * that is this one. The bell is the capture's, and rings for all: who has the capture hears it, and
 * wakes the parts whose ring has something. A socket is its own bell.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture_private.h"
#include "clock.h"
#include "cpus.h"

#define CPUS_MAX 4096
/* Not everything that a reader has to know of wakes it. */
#define LOOK_EVERY_NS NS_PER_SEC

struct capture_part {
	struct capture *capture;
	struct capture_part *next; /* of the capture's */
	struct ring *ring;
	struct ring_set rings; /* it alone */
	struct merge merge;
	struct wait wait;
	struct nic_clock nic_clock;
	uint64_t refused[SIDES];
	int cpu; /* -1: a socket */
	bool first;
};

/* With engine=divert the ring of a CPU has what is sent, if that is captured. */
static bool is_read(const struct capture *c, const struct ring *r)
{
	return !r->own && (r->socket || !c->divert.count || !c->options.in_only);
}

unsigned capture_parts(const struct capture *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->rings.count; i++)
		n += is_read(c, &c->rings.ring[i]);
	return n;
}

/* The index among all rings of part number. */
static unsigned find_ring(const struct capture *c, unsigned number)
{
	unsigned i = 0;

	while (!is_read(c, &c->rings.ring[i]) || number--)
		i++;
	return i;
}

/* The CPU that has a ring. */
static int cpu_of(unsigned ring)
{
	uint16_t number_of[CPUS_MAX];
	bool sparse;
	int count = cpus_number(number_of, CPUS_MAX, &sparse);

	for (int cpu = 0; count > 0 && cpu < CPUS_MAX; cpu++)
		if (number_of[cpu] == ring)
			return cpu;
	return (int)ring;
}

static int open_wait(struct capture_part *p)
{
	int e = wait_open_part(&p->wait, &p->rings, p->capture->options.immediate);

	return e || !p->ring->socket ? e : wait_add_socket(&p->wait, xsk_fd(p->ring->socket));
}

int capture_part_open(struct capture_part **out, struct capture *c, unsigned number)
{
	struct capture_part *p = calloc(1, sizeof(*p));
	unsigned i = find_ring(c, number);
	int e;

	if (!p)
		return -ENOMEM;
	p->capture = c;
	p->ring = &c->rings.ring[i];
	p->cpu = p->ring->socket ? -1 : cpu_of(i);
	p->first = number == 0;
	p->rings = c->rings;
	p->rings.ring = p->ring;
	p->rings.count = 1;
	p->rings.controlled = p->ring->control != NULL;
	p->merge.rings = &p->rings;
	p->nic_clock = c->nic_clock;
	p->next = c->parts;
	c->parts = p;
	e = open_wait(p);
	if (e)
		capture_part_close(p);
	else
		*out = p;
	return e;
}

void capture_part_close(struct capture_part *p)
{
	struct capture_part **at;

	if (!p)
		return;
	for (at = &p->capture->parts; *at != p; at = &(*at)->next)
		;
	*at = p->next;
	wait_close(&p->wait);
	free(p);
}

int capture_part_cpu(const struct capture_part *p)
{
	return p->cpu;
}

unsigned capture_part_queue(const struct capture_part *p)
{
	return p->ring->socket ? p->ring->socket->queue : 0;
}

void capture_part_begin(struct capture_part *p)
{
	struct capture *c = p->capture;

	if (!c->reading)
		capture_begin_read(c);
	p->merge.generation = c->merge.generation;
	p->merge.settle_after = c->merge.settle_after;
}

int capture_part_run(struct capture_part *p, struct capture_run *run)
{
	if (!merge_run(&p->merge, run))
		return 0;
	run->changed = &p->capture->filter.pending;
	p->wait.busy = true;
	return 1;
}

void capture_part_run_done(struct capture_part *p, const struct capture_run *run,
			   const struct epb_header *next)
{
	merge_done(&p->merge, run, next);
}

uint32_t capture_part_refine(struct capture_part *p, const struct epb_header *r)
{
	return capture_keep(p->capture, &p->merge, r, p->refused);
}

uint64_t capture_part_time(struct capture_part *p, const struct epb_header *r)
{
	return p->capture->tap.plan.time ? nic_clock_time(&p->nic_clock, r) : epb_time(r);
}

int capture_part_wait(struct capture_part *p, int timeout_ms)
{
	int64_t limit = timeout_ms * NS_PER_MS;
	int e;

	if (timeout_ms < 0 || limit > LOOK_EVERY_NS)
		limit = LOOK_EVERY_NS;
	e = wait_sleep(&p->wait, limit, p->merge.held);
	return e == -ETIME && limit == LOOK_EVERY_NS ? 0 : e;
}

void capture_part_wake(struct capture_part *p)
{
	wait_wake(&p->wait);
}

/* The program has put need_wakeup back when it rang. What was read is released before the sleep. */
static bool is_rung_for(const struct capture_part *p)
{
	const struct ring_control *r = p->ring->control;

	return r && __atomic_load_n(&r->head, __ATOMIC_ACQUIRE) !=
			    __atomic_load_n(&r->tail, __ATOMIC_RELAXED);
}

int capture_parts_attend(struct capture *c)
{
	int e = capture_poll(c);

	for (struct capture_part *p = c->parts; p; p = p->next)
		if (is_rung_for(p))
			wait_wake(&p->wait);
	return e;
}

static void count_socket(const struct xsk *x, struct capture_stats *s)
{
	struct xsk_counts n = {0};

	xsk_count(x, &n);
	s->lost_socket = n.dropped + n.ring_full;
	s->fill_empty = n.fill_empty;
	s->truncated = x->torn;
	s->offered = s->matched = x->received + s->lost_socket;
	s->side_seen[SIDE_RECEIVED] = s->side_matched[SIDE_RECEIVED] = s->matched;
	s->side_lost[SIDE_RECEIVED] = s->lost_socket;
}

/* With engine=divert it has seen received frames as well, which are of other parts. */
static void count_ring(const struct ring_control *r, struct capture_stats *s)
{
	uint64_t elsewhere = ring_counter(&r->diverted) + ring_counter(&r->no_socket);

	ring_count(r, s);
	s->offered -= elsewhere;
	s->matched -= elsewhere;
	s->side_seen[SIDE_RECEIVED] -= elsewhere;
	s->side_matched[SIDE_RECEIVED] -= elsewhere;
}

void capture_part_stats(struct capture_part *p, struct capture_stats *s)
{
	const struct capture *c = p->capture;

	memset(s, 0, sizeof(*s));
	if (p->ring->socket)
		count_socket(p->ring->socket, s);
	else
		count_ring(p->ring->control, s);
	capture_count_refused(s, p->refused);
	s->unstamped = p->nic_clock.missing;
	if (!p->first)
		return;
	capture_count_no_ring(s, c);
	s->nic_dropped = __atomic_load_n(&c->nic_dropped, __ATOMIC_RELAXED);
}

bool capture_part_is_empty(struct capture_part *p, uint64_t read)
{
	struct capture_stats s;

	if (p->ring->socket)
		return !ring_has_more(p->ring);
	capture_part_stats(p, &s);
	return read >= capture_stats_records(&s);
}
