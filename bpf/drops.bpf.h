/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Frames that the host's stack drops, by the kernel's tracepoint kfree_skb. */
#pragma once

#include "capture.bpf.h"
#include "filter.bpf.h"
#include "skb.bpf.h"

/* Set before load. */
const volatile __u32 drops_any = 0; /* of all devices, and of none; else only traced_ifindex */
const volatile __u32 drops_everywhere = 0; /* in all network namespaces; else only traced_netns */
const volatile __u32 drops_chosen = 0;	   /* only these reasons: */
const volatile __u64 drops_wanted[DROP_REASON_WORDS] = {};

static __always_inline struct net *net_of_device(const struct net_device *dev)
{
	struct net *net = dev->nd_net.net;

	/* The field may be in use for something else: this shows whether it is a device. */
	return net && net->loopback_dev->nd_net.net == net ? net : (void *)0;
}

static __always_inline struct net *net_of_socket(const struct sock *sk)
{
	return net_of_device(sk->__sk_common.skc_net.net->loopback_dev);
}

static __always_inline struct net *net_of_receiver(const struct frame *f)
{
	const struct sock *sk = drop_receiver(f);
	struct net *net = sk ? BPF_CORE_READ(sk, __sk_common.skc_net.net) : (void *)0;

	return net && BPF_CORE_READ(net, loopback_dev, nd_net.net) == net ? net : (void *)0;
}

/* Reads by helper, because the verifier knows none of these as a pointer. The field may be in use
 * for something else. */
static __always_inline struct net_device *device_of_route(const struct sk_buff *skb)
{
	struct dst_entry *dst = (void *)(skb->_skb_refdst & ~1ul);
	struct net_device *dev = dst ? BPF_CORE_READ(dst, dev) : (void *)0;
	struct net *net = dev ? BPF_CORE_READ(dev, nd_net.net) : (void *)0;

	return net && BPF_CORE_READ(net, loopback_dev, nd_net.net) == net ? dev : (void *)0;
}

/* For what the host was about to send before it had a device: use that of its route. */
static __always_inline void use_route(const struct sk_buff *skb, struct frame *f, struct net **net)
{
	struct net_device *dev = device_of_route(skb);

	if (!dev)
		return;
	if (!*net)
		*net = BPF_CORE_READ(dev, nd_net.net);
	if (f->ifindex || *net != BPF_CORE_READ(dev, nd_net.net))
		return;
	f->ifindex = BPF_CORE_READ(dev, ifindex);
	f->drop_ifname = dev->name;
}

static __always_inline __u32 netns_at(const struct net *net)
{
	return net ? BPF_CORE_READ(net, ns.inum) : 0;
}

static __always_inline int is_wanted_reason(__u32 reason)
{
	__u32 bit;

	if (!drops_chosen)
		return 1;
	if (reason >> 16 >= DROP_SUBSYSTEMS || (reason & 0xffff) >= DROP_REASONS_EACH)
		return 0;
	bit = (reason >> 16) * DROP_REASONS_EACH + (reason & 0xffff);
	AT_MOST(bit, DROP_REASON_WORDS * 64 - 1); /* never more: for the verifier */
	return drops_wanted[bit / 64] >> bit % 64 & 1;
}

/* Messages of Unix sockets and of netlink, which never were frames. */
static __always_inline int is_message(const struct sock *sk)
{
	__u32 family = sk->__sk_common.skc_family;

	return family == FAMILY_UNIX || family == FAMILY_NETLINK;
}

/* What the host itself makes has not come by a device. */
static __always_inline __u32 drop_flags(const struct sk_buff *skb)
{
	if (skb->skb_iif)
		return EPB_FLAG_INBOUND;
	return skb->sk ? EPB_FLAG_OUTBOUND : 0;
}

SEC("tp_btf/kfree_skb")
int drop_root(__u64 *ctx)
{
	bpf_tail_call(ctx, &slots, 0);
	return 0;
}

SEC("tp_btf/kfree_skb")
int drop_capture(__u64 *ctx)
{
	struct sk_buff *skb = (void *)ctx[0];
	struct frame f = {.has_drop = 1, .may_have_tag = 1, .drop_args = ctx};
	struct net_device *dev = skb->dev;
	const struct sock *sk;
	struct net *net;
	struct skb s = {};
	__u32 type = DEVICE_ETHER;

	if (!is_wanted_reason(drops_reason ? ctx[2] : 0))
		return 0;
	net = net_of_device(dev);
	if (net) {
		f.ifindex = dev->ifindex;
		/* The same kind of pointer as from a route, so that the verifier goes through the
		 * rest once. */
		f.drop_ifname = BPF_CORE_READ(skb, dev)->name;
		type = dev->type;
	} else {
		sk = skb->sk;
		if (sk && is_message(sk))
			return 0;
		if (sk)
			net = net_of_socket(sk);
		if (!net)
			net = net_of_receiver(&f);
	}
	if (!f.ifindex)
		f.ifindex = skb->skb_iif;
	if (!net || !f.ifindex)
		use_route(skb, &f, &net);
	f.netns = netns_at(net);
	if (!f.netns && !skb->protocol)
		return 0; /* also such a message, but without a socket */
	if (drops_any ? !drops_everywhere && f.netns && f.netns != traced_netns
		      : f.netns != traced_netns || (f.ifindex != traced_ifindex &&
						    (__u32)skb->skb_iif != traced_ifindex))
		return 0;
	f.length = skb_open(&s, skb, type);
	f.tag = s.made || no_link_header ? 0 : skb_tag(skb);
	s.buff.view.ifindex = f.ifindex;
	s.buff.view.queue = f.queue = skb->queue_mapping ? skb->queue_mapping - 1 : 0;
	f.flags = drop_flags(skb);
	/* User space filters what is not there in one piece as it is recorded. */
	f.unsure = (s.buff.fragments || f.tag || s.made || f.length != s.buff.linear) &&
		   filter_generation();
	if (f.tag)
		f.length += TAG_SIZE;
	if (f.unsure)
		f.keep = ~0u;
	else if (f.flags & EPB_FLAG_OUTBOUND)
		f.keep = RUN_FILTER(&s.buff.view, FILTER_MARKER_OUTBOUND);
	else
		f.keep = RUN_FILTER(&s.buff.view, FILTER_MARKER);
	capture(&s, HOOK_DROP, SINK_RING, &f);
	return 0;
}
