/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The programs that trace XDP programs. */
#pragma once

#include "buff.bpf.h"
#include "capture.bpf.h"
#include "filter.bpf.h"

/*
 * At the entry and at the exit of an XDP program that is already there, by fentry and fexit: the
 * root program stays attached, and the capture program behind it is swapped as at XDP.
 *
 * The kernel runs the filter on a frame that is in one piece. Others are kept whole, for the filter
 * in user space.
 */
static __always_inline void capture_buff(struct xdp_buff *xdp, struct frame *f)
{
	struct buff b = {};

	if (!buff_is_ours(xdp))
		return;
	buff_open(&b, xdp);
	f->flags = EPB_FLAG_INBOUND;
	f->queue = b.view.queue;
	f->length = b.view.length;
	f->unsure = b.fragments && filter_generation();
	f->keep = f->unsure ? ~0u : RUN_FILTER(&b.view, FILTER_MARKER);
	capture(&b, HOOK_BUFF, SINK_RING, f);
}

/* The kernel treats an unknown verdict as XDP_ABORTED. */
static __always_inline __u32 verdict_bit(__u32 verdict)
{
	return 1u << (verdict <= XDP_REDIRECT ? verdict : XDP_ABORTED);
}

SEC("fentry")
int entry_root(__u64 *ctx)
{
	bpf_tail_call(ctx, &slots, 0);
	return 0;
}

SEC("fentry")
int entry_capture(__u64 *ctx)
{
	struct frame f = {};

	capture_buff((struct xdp_buff *)ctx[0], &f);
	return 0;
}

SEC("fexit")
int exit_root(__u64 *ctx)
{
	bpf_tail_call(ctx, &slots, 0);
	return 0;
}

SEC("fexit")
int exit_capture(__u64 *ctx)
{
	struct frame f = {.has_verdict = 1};
	__u64 verdict = XDP_ABORTED;

	bpf_get_func_ret(ctx, &verdict);
	f.verdict = verdict;
	if (wanted_verdicts && !(wanted_verdicts & verdict_bit(verdict)))
		return 0;
	capture_buff((struct xdp_buff *)ctx[0], &f);
	return 0;
}
