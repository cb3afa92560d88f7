/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* watchdog=: frames are kept from the host only as long as somebody reads. */
#pragma once

#include "count.bpf.h"
#include "reduce.bpf.h"
#include "ring.bpf.h"

/* How often, during that time, a program loads the cache lines that the reader writes. */
#define LOOKS 8

/* May this frame be kept from the host, and might the reader be gone? */
static __always_inline int is_watched(const struct ring_control *r, const struct frame *f)
{
	return watchdog && is_received(f) && READ_ONCE(r->armed);
}

/* Are frames kept from the host that leave no record, and so have no time stamp? Then call
 * is_deserted(). */
static __always_inline int leaves_gaps(void)
{
	return sample_every > 1 || flow_cutoff;
}

/*
 * Have the records in this ring been unread for the watchdog's time, without the reader looking?
 * (It may be behind with other rings, whose records are older.) An empty ring has a reader, as far
 * as one can tell. If the clock was set back, the time begins anew; if it was set forward, a reader
 * may seem to be gone until it looks next.
 */
static __always_inline int is_unread(struct ring_control *r, __u64 now)
{
	__u64 looked;

	if (now - r->watched < watchdog / LOOKS)
		return 0;
	looked = READ_ONCE(r->looked);
	if (!r->watched || READ_ONCE(r->tail) == r->head || looked != r->watched_look ||
	    now < r->unread_since) {
		r->watched_look = looked;
		r->unread_since = now;
	}
	if (now - r->unread_since >= watchdog)
		return 1; /* the next frame checks again */
	r->watched = now;
	return 0;
}

/*
 * Has the reader not looked for the watchdog's time, counted from the first frame that could show
 * it? For frames that leave no record in a ring. A reader that sleeps until the bell rings has no
 * reason to look: it is woken after half of the time, and has the other half to look. The kernel
 * makes a mere load of this clock; others cost 20 ns.
 */
static __always_inline int is_deserted(struct ring_control *r)
{
	__u64 looked = READ_ONCE(r->looked), now = bpf_jiffies64();

	if (looked != r->looked_before) {
		r->looked_before = looked;
		r->looked_at = now;
	}
	if (now - r->looked_at > watchdog_ticks / 2 && READ_ONCE(r->need_wakeup)) {
		ring_bell(r);
		r->looked_at = now - watchdog_ticks / 2;
	}
	return now - r->looked_at > watchdog_ticks;
}
