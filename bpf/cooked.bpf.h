/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Frames of all interfaces: the record has a header that is the same for all link types, then the
 * packet. The socket is of type SOCK_DGRAM, for which a frame begins with its network header.
 */
#pragma once

#include <bpf/bpf_endian.h>

#include "copy.bpf.h"

#define COOKED_TAG	4u	   /* TCI, and the protocol of the tagged packet */
#define COOKED_KEEP_MAX (1u << 30) /* larger verdicts keep the whole packet, or are RING_PULLS */
#define ADDRESS_AT	6u	   /* in an Ethernet header */
#define ADDRESS_SIZE	6u

/* Of LEFT_OUT_PLACES entries, if interfaces are chosen. The reader writes it, by mapping. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} left_out SEC(".maps");

static __always_inline int is_left_out(__u32 ifindex)
{
	__u32 place = ifindex % LEFT_OUT_PLACES;
	__u64 *there = bpf_map_lookup_elem(&left_out, &place);

	return there && READ_ONCE(*there) == ifindex;
}

static __always_inline __u64 cooked_head(const struct frame *f)
{
	return sizeof(struct epb_cooked) + (f->tag ? COOKED_TAG : 0);
}

/* The kind of device, and so whether it has such an address at all, is filled in by the reader. */
static __always_inline void write_cooked(void *ctx, const struct frame *f, struct epb_cooked *h)
{
	const struct __sk_buff *skb = ctx;

	h->protocol = f->protocol;
	h->reserved = 0;
	h->ifindex = bpf_htonl(f->ifindex);
	h->hatype = 0;
	h->pkttype = READ_ONCE(skb->pkt_type); /* read again: the stack has no room to keep it */
	h->halen = ADDRESS_SIZE;
	*(__u32 *)h->address = 0;
	*(__u32 *)(h->address + 4) = 0;
	bpf_skb_load_bytes_relative(ctx, ADDRESS_AT, h->address, ADDRESS_SIZE, BPF_HDR_START_MAC);
}

static __always_inline long copy_packet(void *ctx, void *to, __u64 n)
{
	NOT_ZERO(n);
	AT_MOST_OF(n, caplen_max); /* never more: the verifier lost the bound */
	return bpf_skb_load_bytes(ctx, 0, to, n);
}

/* Copies caplen bytes in all, which is at least cooked_head(). */
static __always_inline long copy_cooked(void *ctx, const struct frame *f, void *to, __u64 caplen)
{
	const __u32 head = sizeof(struct epb_cooked), tagged = head + COOKED_TAG;
	struct epb_cooked *h = to;

	write_cooked(ctx, f, h);
	if (!f->tag)
		return caplen > head ? copy_packet(ctx, to + head, caplen - head) : 0;
	h->protocol = bpf_htons(f->tag >> 16);
	*(__u16 *)(to + head) = bpf_htons(f->tag);
	*(__u16 *)(to + head + 2) = f->protocol;
	return caplen > tagged ? copy_packet(ctx, to + tagged, caplen - tagged) : 0;
}
