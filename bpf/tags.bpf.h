/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* VLAN tags at XDP: beside the frame, or in it. */
#pragma once

#include <linux/if_ether.h>
#include <bpf/bpf_endian.h>

#include "frame.bpf.h"
#include "marker.h"

const volatile __u32 tags_unsure = 0; /* user space filters frames that have a tag */

static int (*const rx_vlan_tag)(const struct xdp_md *ctx, __be16 *vlan_proto,
				__u16 *vlan_tci) = (void *)KFUNC_RX_VLAN_TAG;

/* TPID << 16 | TCI of a tag that the device has taken off the frame (6.8); 0: none. */
static __always_inline __u32 stripped_tag(const struct xdp_md *ctx)
{
	__be16 proto;
	__u16 tci;

	if (!bound_vlan || rx_vlan_tag(ctx, &proto, &tci))
		return 0;
	return (__u32)bpf_ntohs(proto) << 16 | tci;
}

/*
 * Will the kernel take a tag off this frame before a packet socket's filter runs? What that filter
 * will return is then left to user space.
 */
static __always_inline int is_unsure(const struct xdp_md *ctx)
{
	const struct ethhdr *e = (void *)(long)ctx->data;

	if (!tags_unsure || (void *)(e + 1) > (void *)(long)ctx->data_end)
		return 0;
	return e->h_proto == bpf_htons(ETH_P_8021Q) || e->h_proto == bpf_htons(ETH_P_8021AD);
}

static __always_inline void take_unsure(struct frame *f)
{
	f->unsure = 1;
	f->keep = ~0u;
}
