/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Wakes a reader that does not want each frame at once: a kernel timer for each ring, as the blocks
 * of a packet socket have one (net/packet/af_packet.c, prb_retire_rx_blk_timer_expired()).
 *
 * The timer runs while records come: a program only checks whether it does, and starts it. Each
 * period it rings the bell if the reader sleeps and there are records, once these have waited for
 * as long as the reader asked for, or no more come. A ring that fills rings earlier (ring.bpf.h).
 *
 * With plain stores, a program may have seen the timer run before anyone can see its record. So a
 * timer that is about to stop says so, and runs for one more period: then it sees that record.
 */
#pragma once

#include "ring.bpf.h"

#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC 1 /* linux/time.h does not compile here */
#endif
#define ENOMEM 12 /* nor does linux/errno.h */
#define EBUSY  16

/* Fails if the map's last descriptor was closed. */
static __always_inline void timer_again(struct ring_timer *t)
{
	bpf_timer_start(&t->timer, period_ns, 0);
}

/* Usually runs on the ring's CPU; nothing here depends on that. */
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
	/* Pairs with the fence of ring_set_arm(), after which the reader checks whether the timer
	 * runs. */
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
 * Run before anything is attached. The timers hold this program from then on, so the programs that
 * are loaded for a filter need no callback. Returns how many timers could not be set up: a program
 * cannot wait for memory, so it may have to be run again; timers that are already set up return
 * EBUSY.
 */
SEC("socket")
int timers_init(struct __sk_buff *skb)
{
	__u32 failed = 0;

	(void)skb;
	bpf_loop(ring_count, init_timer, &failed, 0);
	return failed;
}
