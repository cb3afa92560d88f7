/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What is lost or left out, by the direction of the frame: record.h has the counters. Sent frames
 * are counted once more apart, so that received ones pay nothing for it. Part of capture.bpf.c.
 */
#ifndef PCAP_AFXDP_COUNT_BPF_H
#define PCAP_AFXDP_COUNT_BPF_H

/* Frames of this direction lost on this ring that no record has told of. */
static __always_inline __u64 losses_untold(const struct ring_control *r, const struct frame *f)
{
	return is_sent(f) ? r->sent.lost + r->sent.lost_reentry - r->sent.lost_told
			  : r->lost_full + r->lost_copy + r->lost_reentry - r->lost_told;
}

static __always_inline void tell_losses(struct ring_control *r, const struct frame *f, __u64 n)
{
	if (is_sent(f))
		r->sent.lost_told += n;
	else
		r->lost_told += n;
}

/* *cause: the counter. */
static __always_inline void count_lost(struct ring_control *r, const struct frame *f, __u64 *cause)
{
	++*cause;
	if (is_sent(f)) {
		r->sent.lost++;
		r->lost_told++;
	}
}

static __always_inline void count_left_out(struct ring_control *r, const struct frame *f,
					   __u64 *cause)
{
	++*cause;
	if (is_sent(f))
		r->sent.left_out++;
}

#endif
