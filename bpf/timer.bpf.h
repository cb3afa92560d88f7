/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Who wakes a reader that does not want each frame at once: a kernel timer for each ring, as the
 * blocks of a packet socket have one (net/packet/af_packet.c, prb_retire_rx_blk_timer_expired()).
 *
 * It runs while records come: a program only looks whether it does, and starts it. Each period it
 * rings the bell for a reader that sleeps on records, once they have waited for as long as the
 * reader has asked for, or when no more come. A ring that fills rings sooner (ring.bpf.h).
 *
 * With plain stores a program may have seen the timer run before anyone can see its record. So a
 * timer that is to stop says so, and runs for one more period: then it sees that record.
 */
#pragma once

#include "ring.bpf.h"

#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC 1 /* linux/time.h does not compile here */
#endif
#define ENOMEM 12 /* nor does linux/errno.h */
#define EBUSY  16

/* Not where the map's last descriptor was closed. */
static __always_inline void timer_again(struct ring_timer *t)
{
	bpf_timer_start(&t->timer, period_ns, 0);
}

/* On the ring's CPU, as a rule; nothing here depends on that. */
static int on_timer(void *map, __u32 *number, struct ring_timer *t)
{
	struct ring_control *r = ring_of_number(*number);
	__u64 head, awaited;
	__u32 asleep;

	(void)map;
	if (!r)
		return 0;
	asleep = READ_ONCE(r->need_wakeup);
	awaited = READ_ONCE(r->awaited);
	head = READ_ONCE(r->head);
	t->idle = head == t->head ? t->idle + 1 : 0;
	t->unread = head == awaited || awaited != t->awaited ? 0 : t->unread + 1;
	t->head = head;
	t->awaited = awaited;
	if (asleep && head != awaited && (t->unread >= periods_unread || t->idle >= periods_idle))
		ring_bell(r);
	/* Pairs with the fence of ring_set_arm(), whose reader asks whether the timer runs. */
	if (t->idle < periods_idle || __sync_lock_test_and_set(&r->timer_runs, 0))
		timer_again(t);
	return 0;
}

static long init_timer(__u32 number, void *failed)
{
	struct ring_timer *t = bpf_map_lookup_elem(&timers, &number);
	int e = t ? bpf_timer_init(&t->timer, &timers, CLOCK_MONOTONIC) : -ENOMEM;

	if ((e && e != -EBUSY) || bpf_timer_set_callback(&t->timer, on_timer))
		*(__u32 *)failed += 1;
	return 0;
}

/*
 * Run before anything is attached: the timers hold this program from then on, and what is loaded
 * for a filter has no callback to bring. Returns how many timers could not be set up. A program
 * cannot wait for memory, so that some may have to be tried again; those that are there say EBUSY.
 */
SEC("socket")
int timers_init(struct __sk_buff *skb)
{
	__u32 failed = 0;

	(void)skb;
	bpf_loop(ring_count, init_timer, &failed, 0);
	return failed;
}
