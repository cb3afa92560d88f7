/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* watchdog=: frames are kept from the host as long as somebody reads. */
#pragma once

#include "count.bpf.h"
#include "reduce.bpf.h"
#include "ring.bpf.h"

/* So often in its time the lines that the reader writes are fetched. */
#define LOOKS 8

/* May this frame be kept from the host, and the reader be gone? */
static __always_inline int is_watched(const struct ring_control *r, const struct frame *f)
{
	return watchdog && is_received(f) && READ_ONCE(r->armed);
}

/* Are frames kept that leave no record, and have no stamp? Then call is_deserted(). */
static __always_inline int leaves_gaps(void)
{
	return sample_every > 1 || flow_cutoff;
}

/*
 * Have the records in this ring lain unread for so long, while the reader did not look either? It
 * may be behind with other rings, whose records are older. An empty ring has a reader, for all that
 * is known. A clock that was set back begins anew; one that was set forward may be taken for a
 * reader that is gone, until it looks next.
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
		return 1; /* the next frame looks again */
	r->watched = now;
	return 0;
}

/*
 * Has the reader not looked for so long, from the first frame on that could see it? For what leaves
 * no record in a ring. One that sleeps until the bell has no reason to look: at half of the time it
 * is woken, and has the other half to do so. The kernel makes a load of this clock, where others
 * cost 20 ns.
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
