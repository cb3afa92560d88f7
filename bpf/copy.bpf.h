/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Copies bytes of the frame, wherever the hook has them. */
#pragma once

#include <bpf/bpf_endian.h>

#include "buff.bpf.h"
#include "skb.bpf.h"

/*
 * At XDP, a frame of more than this and up to four times as much is copied without a helper, if it
 * is in one piece: 64 bytes in 8 loads and 8 stores. The call and the kernel's rep movsb take 7 ns
 * more. At tc nothing is gained.
 */
#define DIRECT_HALF 32u

/* size must be known to the compiler. */
static __always_inline void copy_words(void *to, const void *from, __u32 size)
{
#pragma unroll
	for (__u32 i = 0; i < size; i += sizeof(__u64))
		WRITE_ONCE(*(__u64 *)(to + i), READ_ONCE(*(const __u64 *)(from + i)));
}

/* Copies the first and the last `half` bytes, which may overlap. half < n <= 2 * half. */
static __always_inline int copy_halves(void *to, const void *data, const void *end, __u64 n,
				       const __u32 half)
{
	const void *last;

	n -= half;
	AT_MOST(n, half); /* never more: for the verifier */
	last = data + n;
	if (data + half > end || last + half > end)
		return 0;
	copy_words(to, data, half);
	copy_words(to + n, last, half);
	return 1;
}

/* Copies the first n bytes, if the hook has them at hand. 0: it has not, and nothing is copied. */
static __always_inline int copy_directly(const struct xdp_md *ctx, enum hook hook, void *to,
					 __u64 n)
{
	const void *data, *end;

	if (hook != HOOK_XDP || !unaligned_access || n <= DIRECT_HALF || n > 4 * DIRECT_HALF)
		return 0;
	data = (void *)(long)ctx->data;
	end = (void *)(long)ctx->data_end;
	if (n > 2 * DIRECT_HALF)
		return copy_halves(to, data, end, n, 2 * DIRECT_HALF);
	return copy_halves(to, data, end, n, DIRECT_HALF);
}

/* The most that a record has of a frame. */
static __always_inline __u64 most_of(enum hook hook)
{
	return hook == HOOK_SKB ? caplen_max : XDP_SNAPLEN_MAX;
}

/* How many bytes of the record can be copied, if the frame lies in kernel memory. */
static __always_inline __u32 readable(void *ctx, enum hook hook, const struct frame *f)
{
	if (hook == HOOK_BUFF)
		return buff_readable(ctx);
	return skb_readable(ctx) + (f->tag ? TAG_SIZE : 0);
}

static __always_inline long copy_bytes(void *ctx, enum hook hook, __u32 from, void *to, __u32 n)
{
	if (hook == HOOK_BUFF)
		return buff_load(ctx, to, n); /* from is 0, because there is no tag */
	if (hook == HOOK_DROP)
		return skb_load(ctx, to, n); /* as here: see copy_tagged() */
	return hook == HOOK_XDP ? bpf_xdp_load_bytes(ctx, from, to, n)
				: bpf_skb_load_bytes(ctx, from, to, n);
}

/* For a frame in several pieces, which is copied in one go: then the addresses move to the
 * front. */
static __always_inline long copy_tagged(void *ctx, const struct frame *f, __u32 *to, __u64 caplen)
{
	__u64 n = caplen - TAG_SIZE;

	NOT_ZERO(n);
	AT_MOST(n, XDP_SNAPLEN_MAX); /* never more: the verifier lost the bound */
	if (copy_bytes(ctx, HOOK_DROP, 0, to + 1, n))
		return -1;
	to[0] = to[1];
	to[1] = to[2];
	to[2] = to[3];
	to[3] = bpf_htonl(f->tag);
	return 0;
}

/* Copies the first caplen bytes of the frame, and puts a tag that lies beside it back behind the
 * MACs. */
static __always_inline long copy_frame(void *ctx, enum hook hook, const struct frame *f, void *to,
				       __u64 caplen)
{
	const __u32 macs = 12, tagged = 16;
	__u64 rest;

	NOT_ZERO(caplen);
	if (!f->tag || caplen <= macs)
		return copy_bytes(ctx, hook, 0, to, caplen);
	if (hook == HOOK_DROP && caplen > tagged)
		return copy_tagged(ctx, f, to, caplen);
	if (copy_bytes(ctx, hook, 0, to, macs))
		return -1;
	*(__u32 *)(to + macs) = bpf_htonl(f->tag);
	if (caplen <= tagged)
		return 0;
	rest = caplen - tagged;
	NOT_ZERO(rest);
	AT_MOST_OF(rest, most_of(hook)); /* never more: the verifier lost the bound */
	return copy_bytes(ctx, hook, macs, to + tagged, rest);
}
