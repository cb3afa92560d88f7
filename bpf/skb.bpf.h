/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The frame as a program that traces the stack sees it: an sk_buff, read through the kernel's
 * BTF. */
#pragma once

#include <bpf/bpf_endian.h>

#include "buff.bpf.h"

#define LINK_SIZE      14u     /* of an Ethernet header */
#define TAG_SIZE       4u      /* what a tag adds */
#define HEADER_UNSET   0xffffu /* of mac_header */
#define FAMILY_UNIX    1u
#define FAMILY_NETLINK 16u
#define DEVICE_ETHER   1u   /* ARPHRD_ETHER */
#define DEVICE_LOOP    772u /* ARPHRD_LOOPBACK */

/* The kernel's structures, with the members that are read. */
struct cookie {
	__s64 counter;
} __attribute__((preserve_access_index));

struct sock_common {
	unsigned short skc_family;
	volatile unsigned char skc_state;
	unsigned char skc_reuseport : 1;
	unsigned char skc_net_refcnt : 1; /* clear for a socket of the kernel's own */
	possible_net_t skc_net;
	struct cookie skc_cookie;
} __attribute__((preserve_access_index));

struct sock {
	struct sock_common __sk_common;
	__u16 sk_protocol;
	struct socket *sk_socket;
} __attribute__((preserve_access_index));

struct dst_entry {
	struct net_device *dev;
} __attribute__((preserve_access_index));

struct sk_buff {
	struct net_device *dev;
	struct sock *sk;
	unsigned long _skb_refdst;
	unsigned int len, data_len;
	__u16 queue_mapping;
	int skb_iif;
	__u16 vlan_proto; /* big endian */
	__u16 vlan_tci;
	__u16 protocol; /* big endian */
	__u16 transport_header;
	__u16 network_header;
	__u16 mac_header;
	unsigned int end; /* an offset on 64-bit machines */
	unsigned char *head, *data;
} __attribute__((preserve_access_index));

/* Up to 6.1 this says whether there is a tag; later kernels have one if its protocol is not 0. */
struct sk_buff___6_1 {
	__u8 vlan_present : 1;
} __attribute__((preserve_access_index));

#define SKB_MADE 0x10000u

struct skb {
	struct buff buff; /* first, so that a pointer to it is one to a struct buff */
	__u32 made; /* if there is no link header: SKB_MADE, and the protocol for the one that is
		       made */
};

/* A record has at least this many bytes of the beginning. */
static __always_inline __u32 skb_head(const struct skb *s)
{
	return s->made ? LINK_SIZE : 0;
}

static __always_inline __u32 skb_readable(const struct skb *s)
{
	if (!page_offset_base_at || !vmemmap_base_at)
		return s->buff.linear + skb_head(s);
	return s->buff.view.length;
}

static __always_inline __u32 skb_tag(const struct sk_buff *skb)
{
	const struct sk_buff___6_1 *old = (const void *)skb;
	__u32 proto = bpf_ntohs(skb->vlan_proto);

	if (bpf_core_field_exists(old->vlan_present) && !BPF_CORE_READ_BITFIELD(old, vlan_present))
		return 0;
	return proto ? proto << 16 | skb->vlan_tci : 0;
}

/* Does the frame begin with an Ethernet header, according to the offsets that the stack has
 * noted? */
static __always_inline int skb_has_link(__u32 mac, __u32 network, __u32 at, __u32 type)
{
	if (no_link_header || mac == HEADER_UNSET || mac > at)
		return 0;
	if (network > mac)
		return network - mac >= LINK_SIZE;
	return network != mac && (type == DEVICE_ETHER || type == DEVICE_LOOP);
}

/*
 * Sets *s to the frame from its link header on. If it has none, as frames that the host was about
 * to send, it begins at its network header, with a link header of zeros and the protocol in front.
 * Returns its length. type: that of the device.
 */
static __always_inline __u32 skb_open(struct skb *s, const struct sk_buff *skb, __u32 type)
{
	__u64 head = (__u64)skb->head;
	__u32 at = (__u64)skb->data - head, more = skb->data_len, linear = skb->len - more;
	__u32 mac = skb->mac_header, network = skb->network_header, start = at;
	struct skb_shared_info *info = (void *)(head + skb->end);

	s->made = 0;
	if (skb_has_link(mac, network, at, type)) {
		start = mac;
	} else {
		if (network && network < at + linear)
			start = network;
		s->made = no_link_header ? 0 : SKB_MADE | skb->protocol;
	}
	linear += at - start;
	s->buff.fragments = (void *)0;
	s->buff.linear = linear;
	s->buff.view.data = head + start;
	if (more && !BPF_CORE_READ(info, frag_list)) {
		s->buff.fragments = info;
		linear += more;
	}
	s->buff.view.length = linear + skb_head(s);
	return s->buff.linear + skb->data_len + skb_head(s);
}

static __always_inline void skb_make_link(const struct skb *s, __u32 *to)
{
	to[0] = to[1] = to[2] = 0;
	*(__u16 *)(to + 3) = s->made;
}

/* Copies the first n bytes. */
static __always_inline long skb_load(const struct skb *s, void *to, __u32 n)
{
	const struct buff *b = &s->buff;
	__u64 rest = n;

	if (!s->made)
		return buff_load(b, to, n);
	skb_make_link(s, to);
	if (n <= LINK_SIZE)
		return 0;
	rest -= LINK_SIZE;
	asm volatile("if %0 > 0 goto +1\n%0 = 1" : "+r"(rest));
	asm volatile("if %0 <= %1 goto +1\n%0 = %1" : "+r"(rest) : "i"(XDP_SNAPLEN_MAX));
	return buff_load(b, to + LINK_SIZE, rest);
}
