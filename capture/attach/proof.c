/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <linux/types.h>
#include <unistd.h>

#include "bpf/layout.h"
#include "capture/ring/ring.h"
#include "capture/attach/facts/dropped.h"
#include "proof.h"

#define FRAMES_ENOUGH	 32
#define REFRESHES_ENOUGH 2
/* How often the two counts are read, at most, until no frame comes between them. */
#define TURNS 100

bool proof_open(struct proof *p, const char *ifname, int ifindex)
{
	*p = (struct proof){.received = dropped_open_counter(ifname, ifindex, "rx_packets"),
			    .multicast = dropped_open_counter(ifname, ifindex, "multicast")};
	if (p->received >= 0 && p->multicast >= 0)
		return true;
	proof_close(p);
	return false;
}

void proof_close(struct proof *p)
{
	if (p->received >= 0)
		close(p->received);
	if (p->multicast >= 0)
		close(p->multicast);
	p->received = p->multicast = -1;
}

/* Read multicast first: a multicast frame in between then counts as one too many, and none is
 * missing. */
static bool read_received(const struct proof *p, uint64_t *n)
{
	uint64_t all, multicast;

	if (!dropped_read_counter(p->multicast, &multicast) ||
	    !dropped_read_counter(p->received, &all))
		return false;
	*n = all > multicast ? all - multicast : 0;
	return true;
}

static uint64_t read_offered(const struct proof *p)
{
	uint64_t n = p->no_ring ? ring_counter((const __u64 *)&p->no_ring[SIDE_RECEIVED]) : 0;

	for (unsigned i = 0; i < p->rings->controlled; i++) {
		const struct ring_control *c = p->rings->ring[i].control;

		n += ring_counter(&c->side[SIDE_RECEIVED].offered) +
		     ring_counter(&c->lost_reentry[SIDE_RECEIVED]);
	}
	return n;
}

/* Does the program count what it is offered, or ignore all frames at present? */
static bool counts(const struct proof *p)
{
	for (unsigned i = 0; i < p->rings->controlled; i++) {
		const struct ring_control *c = p->rings->ring[i].control;
		uint32_t unwanted = __atomic_load_n(&c->unwanted, __ATOMIC_RELAXED);

		if (unwanted & (EPB_FLAG_INBOUND | RING_GATE_BEGINS | RING_GATE_ENDS) ||
		    (p->when_armed && !__atomic_load_n(&c->armed, __ATOMIC_RELAXED)))
			return false;
	}
	return true;
}

static void restart(struct proof *p, uint64_t received)
{
	p->before = p->last = received;
	p->refreshes = 0;
}

void proof_begin(struct proof *p, const struct ring_set *rings, const uint64_t *no_ring,
		 bool when_armed)
{
	uint64_t received = 0;

	p->rings = rings;
	p->no_ring = no_ring;
	p->when_armed = when_armed;
	read_received(p, &received);
	restart(p, received);
}

enum proof_verdict proof_look(struct proof *p)
{
	uint64_t received;

	if (!read_received(p, &received))
		return PROOF_ENDED;
	if (read_offered(p))
		return PROOF_CAME;
	/* After a reset of the card the counter may begin at 0 again. */
	if (!counts(p) || received < p->last) {
		restart(p, received);
		return PROOF_WAITS;
	}
	p->refreshes += received != p->last;
	p->last = received;
	return received - p->before >= FRAMES_ENOUGH && p->refreshes >= REFRESHES_ENOUGH
		       ? PROOF_NONE
		       : PROOF_WAITS;
}

void proof_count(const struct proof *p, uint64_t *received, uint64_t *missed)
{
	uint64_t offered, counted = p->last;
	int turns = 0;

	do {
		offered = read_offered(p);
		read_received(p, &counted);
	} while (read_offered(p) != offered && ++turns < TURNS);
	*received = counted > p->before ? counted - p->before : 0;
	*missed = *received > offered ? *received - offered : 0;
}
