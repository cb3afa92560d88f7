/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Counting by side: layout.h has the counters. Sides are used as indices, not in branches: if the
 * program does not know the side, the verifier would go through both branches.
 */
#pragma once

#include "frame.bpf.h"

/* Frames, received and sent, on a CPU that was in no list when the rings were made. */
__u64 lost_no_ring[SIDES] = {};
__u64 beside[sizeof(struct beside) / sizeof(__u64)] = {}; /* as words for the skeleton */
__u64 stirred[STIRRED_WORDS] = {};

static __always_inline __u32 side_of(const struct frame *f)
{
	_Static_assert(EPB_FLAG_INBOUND >> 1 == SIDE_RECEIVED &&
			       EPB_FLAG_OUTBOUND >> 1 == SIDE_SENT,
		       "by one bit");

	return f->flags >> 1 & 1;
}

static __always_inline int is_received(const struct frame *f)
{
	return f->flags & EPB_FLAG_INBOUND;
}

/* Unique on this CPU. */
static __always_inline __u64 packet_number(const struct ring_control *r)
{
	return r->side[SIDE_RECEIVED].matched + r->side[SIDE_SENT].matched;
}

/* Losses of the frame's side on this ring that no record has reported yet. */
static __always_inline __u64 losses_unreported(const struct ring_control *r, const struct frame *f)
{
	const struct side_counts *s = &r->side[side_of(f)];

	return s->lost + r->lost_reentry[side_of(f)] - s->lost_reported;
}

/* *cause: the counter of the cause. */
static __always_inline void count_lost(struct ring_control *r, const struct frame *f, __u64 *cause)
{
	++*cause;
	r->side[side_of(f)].lost++;
}

static __always_inline void count_left_out(struct ring_control *r, const struct frame *f,
					   __u64 *cause)
{
	++*cause;
	r->left_out[side_of(f)]++;
}
