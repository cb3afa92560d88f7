/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Lets several captures begin at one moment, and end at one moment. */
#include <time.h>

#include "capture/attach/trace/drops.h"
#include "capture_private.h"
#include "util/clock.h"

/* By then all rings have the time, even if this thread loses its CPU for a while: a store takes
 * some 100 ns. */
#define AHEAD_NS (2 * NS_PER_MS)
#define RING_NS	 200

static uint64_t moment(struct afxdp_capture *const *c, unsigned n)
{
	uint64_t time = clock_monotonic() + AHEAD_NS;

	for (unsigned i = 0; i < n; i++)
		time += c[i]->reading.rings.controlled * RING_NS;
	return time;
}

static void sleep_until(uint64_t time)
{
	const struct timespec t = {.tv_sec = (time_t)(time / NS_PER_SEC),
				   .tv_nsec = (long)(time % NS_PER_SEC)};

	while (clock_monotonic() < time)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void set_all(struct afxdp_capture *const *c, unsigned n, uint32_t gates, uint64_t time)
{
	for (unsigned i = 0; i < n; i++)
		ring_set_gate(&c[i]->reading.rings, gates, time);
}

/* Reset counts of what came before, which the program could not leave out. */
static void forget_counts(struct afxdp_capture *c)
{
	watch_refresh(&c->watch);
	c->nic_dropped_before = c->watch.nic_dropped;
	c->nested_before = c->reading.drop_names ? drops_nested(&c->program) : 0;
	for (enum afxdp_side i = 0; i < AFXDP_SIDES && c->page; i++)
		c->no_ring_before[i] = ring_counter(&c->page->lost_no_ring[i]);
	c->reader.told = (struct afxdp_stats){0};
}

void afxdp_gate_open(struct afxdp_capture *const *c, unsigned n)
{
	uint64_t time;

	for (unsigned i = 0; i < n; i++)
		forget_counts(c[i]);
	time = moment(c, n);
	set_all(c, n, RING_GATE_BEGINS, time);
	sleep_until(time);
	set_all(c, n, 0, RING_GATE_NEVER);
}

void afxdp_gate_close(struct afxdp_capture *const *c, unsigned n)
{
	uint64_t time = moment(c, n);

	set_all(c, n, RING_GATE_ENDS, time);
	sleep_until(time);
}
