/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The frame as a program that traces an XDP program sees it: the driver's struct xdp_buff, read
 * through the kernel's BTF.
 */
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "marker.h"
#include "reduce.bpf.h"

/* Set before load. */
const volatile __u32 traced_ifindex = 0;  /* a program may be in hooks of several */
const volatile __u32 traced_netns = 0;	  /* also in other network namespaces */
const volatile __u32 wanted_verdicts = 0; /* 1 << XDP_...; 0: all */
/* Addresses of the kernel variables by which a struct page becomes an address; 0: not known. */
const volatile __u64 page_offset_base_at = 0;
const volatile __u64 vmemmap_base_at = 0;

/* The kernel's structures, with the members that are read. */
struct ns_common {
	unsigned int inum;
} __attribute__((preserve_access_index));

struct net_device;

struct net {
	struct ns_common ns;
	struct net_device *loopback_dev;
} __attribute__((preserve_access_index));

typedef struct __attribute__((preserve_access_index)) {
	struct net *net;
} possible_net_t;

struct net_device {
	char name[16];
	int ifindex;
	unsigned short type;
	possible_net_t nd_net;
} __attribute__((preserve_access_index));

struct xdp_rxq_info {
	struct net_device *dev;
	__u32 queue_index;
} __attribute__((preserve_access_index));

struct xdp_buff {
	void *data;
	void *data_end;
	void *data_hard_start;
	struct xdp_rxq_info *rxq;
	__u32 frame_sz;
	__u32 flags; /* 5.18 */
} __attribute__((preserve_access_index));

struct page {
	unsigned long flags;
} __attribute__((preserve_access_index));

/* A struct bio_vec until 6.8, then a struct of its own; the page comes first in both. */
struct bio_vec {
	unsigned int bv_len;
	unsigned int bv_offset;
} __attribute__((preserve_access_index));

struct skb_frag {
	unsigned int len;
	unsigned int offset;
} __attribute__((preserve_access_index));

struct sk_buff;

struct skb_shared_info {
	__u8 nr_frags;
	struct sk_buff *frag_list;
	unsigned int xdp_frags_size;
	struct skb_frag frags[1];
} __attribute__((preserve_access_index));

#define XDP_FLAGS_HAS_FRAGS 1u
#define FRAGS_MAX	    17
#define FRAG_SIZE	    16 /* size of one entry of frags[], on 64-bit machines */
#define FRAG_LENGTH_MAX	    0xf000u
#define PAGE_SHIFT	    12 /* of x86, which is the only one with the two variables above */

struct buff {
	struct buff_view view;
	void *fragments; /* the skb_shared_info that lists them; 0: the frame is in one piece */
	__u32 linear;
};

/* Did the frame come by the captured interface? */
static __always_inline int buff_is_ours(struct xdp_buff *xdp)
{
	struct net_device *dev = xdp->rxq->dev;

	return (__u32)dev->ifindex == traced_ifindex && dev->nd_net.net->ns.inum == traced_netns;
}

static __always_inline void buff_open(struct buff *b, struct xdp_buff *xdp)
{
	/* SKB_DATA_ALIGN(): to a cache line, which has 64 bytes on machines whose pages we know. */
	__u32 shared = (bpf_core_type_size(struct skb_shared_info) + 63) & ~63u;
	struct skb_shared_info *info;

	b->view.data = (__u64)xdp->data;
	b->view.length = b->linear = xdp->data_end - xdp->data;
	b->view.ifindex = traced_ifindex;
	b->view.queue = xdp->rxq->queue_index;
	b->fragments = (void *)0;
	if (!(xdp->flags & XDP_FLAGS_HAS_FRAGS))
		return;
	info = xdp->data_hard_start + xdp->frame_sz - shared;
	b->fragments = info;
	b->view.length += BPF_CORE_READ(info, xdp_frags_size);
}

/* Returns the address of fragment i of a frame, and sets *length. 0: it cannot be read. */
static __always_inline __u64 fragment_at(const struct buff *b, __u32 i, __u32 *length)
{
	__u64 entry = (__u64)b->fragments + bpf_core_field_offset(struct skb_shared_info, frags) +
		      i * FRAG_SIZE;
	__u64 page = 0, offset_base = 0, map_base = 0;
	__u32 offset;

	bpf_probe_read_kernel(&page, sizeof(page), (void *)entry);
	bpf_probe_read_kernel(&offset_base, sizeof(offset_base), (void *)page_offset_base_at);
	bpf_probe_read_kernel(&map_base, sizeof(map_base), (void *)vmemmap_base_at);
	if (bpf_core_type_exists(struct skb_frag)) {
		*length = BPF_CORE_READ((struct skb_frag *)entry, len);
		offset = BPF_CORE_READ((struct skb_frag *)entry, offset);
	} else {
		*length = BPF_CORE_READ((struct bio_vec *)entry, bv_len);
		offset = BPF_CORE_READ((struct bio_vec *)entry, bv_offset);
	}
	if (page & 1 || page < map_base) /* memory of a device */
		return 0;
	return offset_base + ((page - map_base) / bpf_core_type_size(struct page) << PAGE_SHIFT) +
	       offset;
}

/*
 * How many bytes of the frame can be copied. If what is kept depends on headers, only those of the
 * linear part: searching for headers and walking through fragments together are too much for the
 * verifier (6.12).
 */
static __always_inline __u32 buff_readable(const struct buff *b)
{
	if (!page_offset_base_at || !vmemmap_base_at || slice_depth || flow_cutoff)
		return b->linear;
	return b->view.length;
}

/* Copies what follows the done bytes of the linear part, up to n. */
static __always_inline long copy_fragments(const struct buff *b, void *to, __u64 done, __u64 n)
{
	for (__u32 i = 0; i < FRAGS_MAX && done < n; i++) {
		__u32 piece = 0;
		__u64 from = fragment_at(b, i, &piece), length = piece, at = done;

		if (length > n - done)
			length = n - done;
		/* So that the verifier sees the bounds: for done it would only see that of a
		 * copy. */
		barrier_var(length);
		barrier_var(at);
		if (!from || length > FRAG_LENGTH_MAX || at > XDP_SNAPLEN_MAX)
			return -1;
		if (bpf_probe_read_kernel(to + at, length, (void *)from))
			return -1;
		done += length;
	}
	return done < n ? -1 : 0;
}

/* Copies the first n bytes, which must be among those that can be copied. */
static __always_inline long buff_load(const struct buff *b, void *to, __u32 n)
{
	__u64 linear = b->linear;

	if (linear >= n)
		return bpf_probe_read_kernel(to, n, (void *)b->view.data);
	if (slice_depth || flow_cutoff)
		return -1;
	if (n > buff_readable(b) || linear > XDP_SNAPLEN_MAX)
		return -1;
	/* The same bound again, on this register: for the verifier of 6.1 only the compiler's copy
	 * has it. */
	asm volatile("if %0 <= %1 goto +1\n%0 = %1" : "+r"(linear) : "i"(XDP_SNAPLEN_MAX));
	if (bpf_probe_read_kernel(to, linear, (void *)b->view.data))
		return -1;
	return copy_fragments(b, to, linear, n);
}
