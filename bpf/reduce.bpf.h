/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Recording less than every byte of every matching frame: one frame out of N, headers only, or only
 * the beginning of each flow.
 *
 * What depends on headers is decided on a copy of the frame's beginning. The copy is in the ring,
 * in the place of the next record, because offsets may vary there, which they may not on a BPF
 * stack.
 */
#pragma once

#include "frame.bpf.h"

/* Set before load; if all are 0, the verifier removes the code. */
const volatile __u32 sample_every = 0; /* keep one frame out of this many */
const volatile __u32 slice_depth = 0;  /* SLICE_...: keep up to the end of this header, */
const volatile __u32 slice_more = 0;   /* and this many bytes more */
const volatile __u64 flow_cutoff = 0;  /* bytes of a flow after which its frames are cut */

/* Enough for three VLAN tags, IPv6 with some extension headers, and TCP. */
#define PEEK_MAX 192
#define TCP_SEEN 14 /* bytes that are read of a TCP header, the most of any */

#define ETH_TYPE_IP	0x0800
#define ETH_TYPE_IPV6	0x86dd
#define ETH_TYPE_VLAN	0x8100
#define ETH_TYPE_QINQ	0x88a8
#define ETH_TYPE_QINQ1	0x9100 /* older than 802.1ad, still in use */
#define VLAN_TAGS_MAX	3
#define EXTENSIONS_MAX	4
#define TCP_SYN_NOT_ACK 0x02
#define TCP_SYN_ACK	0x12

/*
 * A flow is a 5-tuple and its VLANs, in both directions: the lower end comes first. Fragments other
 * than the first have no ports, so they are a flow by their addresses.
 */
struct flow_key {
	__u64 address[2][2];
	__u16 port[2];
	__u32 vlans; /* identifiers, the outer one in the higher bits; of three tags the inner two */
	__u32 protocol;
	__u32 family;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1); /* set before load */
	__type(key, struct flow_key);
	__type(value, __u64); /* bytes seen; no longer counted once they reach the limit */
} flows SEC(".maps");

struct headers {
	__u32 end[SLICE_L4 + 1]; /* of each header; 0: not known, or not there */
	__u32 begins_flow;	 /* a SYN: what is known of this key is about an earlier flow */
	struct flow_key flow;	 /* family 0: not IP */
};

static __always_inline __u32 load_be16(const __u8 *p)
{
	return (__u32)p[0] << 8 | p[1];
}

static __always_inline __u64 load_u64(const __u8 *p)
{
	return *(const __u32 *)p | (__u64) * (const __u32 *)(p + 4) << 32;
}

/* Offsets come from frames: keeps the verifier, and us, inside of what was copied. */
#define PEEK(p, offset) ((p) + ((offset)&0xff))

static __always_inline __u32 parse_link(const __u8 *p, __u32 n, struct headers *h)
{
	__u32 at = 12, type;

	if (no_link_header)
		return (*p >> 4) == 4 ? ETH_TYPE_IP : (*p >> 4) == 6 ? ETH_TYPE_IPV6 : 0;
	if (n < 14)
		return 0;
	type = load_be16(PEEK(p, at));
	for (int i = 0; i < VLAN_TAGS_MAX; i++) {
		if (type != ETH_TYPE_VLAN && type != ETH_TYPE_QINQ && type != ETH_TYPE_QINQ1)
			break;
		if (n < at + 6)
			return 0;
		h->flow.vlans = h->flow.vlans << 12 | (load_be16(PEEK(p, at + 2)) & 0xfff);
		at += 4;
		type = load_be16(PEEK(p, at));
	}
	h->end[SLICE_L2] = at + 2;
	return type;
}

/* Returns the offset of the next header; 0: none that we know. */
static __always_inline __u32 parse_ipv4(const __u8 *p, __u32 n, struct headers *h, __u32 *fragment)
{
	__u32 at = h->end[SLICE_L2], length;

	if (n < at + 20)
		return 0;
	length = (*PEEK(p, at) & 15) * 4;
	if (length < 20)
		return 0;
	*fragment = load_be16(PEEK(p, at + 6)) & 0x1fff;
	h->flow.protocol = *PEEK(p, at + 9);
	h->flow.address[0][0] = *(const __u32 *)PEEK(p, at + 12);
	h->flow.address[1][0] = *(const __u32 *)PEEK(p, at + 16);
	return at + length;
}

static __always_inline __u32 parse_ipv6(const __u8 *p, __u32 n, struct headers *h, __u32 *fragment)
{
	__u32 at = h->end[SLICE_L2], next;

	if (n < at + 40)
		return 0;
	next = *PEEK(p, at + 6);
	h->flow.address[0][0] = load_u64(PEEK(p, at + 8));
	h->flow.address[0][1] = load_u64(PEEK(p, at + 16));
	h->flow.address[1][0] = load_u64(PEEK(p, at + 24));
	h->flow.address[1][1] = load_u64(PEEK(p, at + 32));
	at += 40;
	for (int i = 0; i < EXTENSIONS_MAX; i++) {
		__u32 units = 0;

		if (next != 0 && next != 43 && next != 44 && next != 51 && next != 60)
			break;
		if (n < at + 8)
			break;
		if (next == 44)
			*fragment = load_be16(PEEK(p, at + 2)) & 0xfff8;
		else
			units = *PEEK(p, at + 1);
		/* RFC 4302: the length of an authentication header is in words, less 2. */
		units = next == 51 ? (units + 2) * 4 : units * 8 + 8;
		next = *PEEK(p, at);
		at += units;
		if (*fragment) /* what follows is not the beginning of the next header */
			break;
	}
	h->flow.protocol = next;
	return at;
}

static __always_inline void parse_transport(const __u8 *p, __u32 n, struct headers *h)
{
	__u32 at = h->end[SLICE_L3], flags;

	switch (h->flow.protocol) {
	case 6: /* TCP */
		if (n < at + TCP_SEEN)
			return;
		h->end[SLICE_L4] = at + (*PEEK(p, at + 12) >> 4) * 4;
		flags = *PEEK(p, at + 13);
		h->begins_flow = (flags & TCP_SYN_ACK) == TCP_SYN_NOT_ACK;
		break;
	case 17:  /* UDP */
	case 136: /* UDP-Lite */
		h->end[SLICE_L4] = at + 8;
		break;
	case 33:  /* DCCP */
	case 132: /* SCTP */
		h->end[SLICE_L4] = at + 12;
		break;
	case 1:	 /* ICMP */
	case 58: /* ICMPv6 */
		h->end[SLICE_L4] = at + 8;
		return;
	default:
		return;
	}
	if (n < at + 4)
		return;
	h->flow.port[0] = load_be16(PEEK(p, at));
	h->flow.port[1] = load_be16(PEEK(p, at + 2));
}

/* Puts the lower end first, so that both directions are one flow. */
static __always_inline void order_ends(struct flow_key *k)
{
	__u64 high = k->address[0][0], low = k->address[0][1];
	__u16 port = k->port[0];

	if (high < k->address[1][0] ||
	    (high == k->address[1][0] &&
	     (low < k->address[1][1] || (low == k->address[1][1] && port <= k->port[1]))))
		return;
	k->address[0][0] = k->address[1][0];
	k->address[0][1] = k->address[1][1];
	k->port[0] = k->port[1];
	k->address[1][0] = high;
	k->address[1][1] = low;
	k->port[1] = port;
}

static __always_inline void parse_headers(const __u8 *p, __u32 n, struct headers *h)
{
	__u32 type = parse_link(p, n, h), at = 0, fragment = 0;

	if (type == ETH_TYPE_IP)
		at = parse_ipv4(p, n, h, &fragment);
	else if (type == ETH_TYPE_IPV6)
		at = parse_ipv6(p, n, h, &fragment);
	if (!at)
		return;
	h->flow.family = type;
	h->end[SLICE_L3] = at;
	if (!fragment)
		parse_transport(p, n, h);
	order_ends(&h->flow);
}

/* How many bytes to keep of a frame of which caplen would be kept. */
static __always_inline __u64 slice(const struct headers *h, __u64 caplen)
{
	__u64 end = h->end[slice_depth <= SLICE_L4 ? slice_depth : SLICE_L4];

	if (!end && slice_depth == SLICE_L4) {
		end = h->end[SLICE_L3]; /* ESP, or a later fragment */
		if (end + TCP_SEEN > PEEK_MAX)
			return caplen; /* beyond the copied part */
	}
	if (!end && !(slice_depth == SLICE_L2 && no_link_header))
		return caplen; /* ARP and other short packets */
	end += slice_more;
	return end < caplen && end ? end : caplen;
}

/* Has the frame's flow reached its limit? If not, count this frame. */
static __always_inline int flow_has_ended(const struct headers *h, __u64 length)
{
	__u64 *seen;

	if (!h->flow.family)
		return 0;
	seen = h->begins_flow ? (void *)0 : bpf_map_lookup_elem(&flows, &h->flow);
	if (!seen) {
		bpf_map_update_elem(&flows, &h->flow, &length, BPF_ANY);
		return 0;
	}
	if (*seen >= flow_cutoff)
		return 1;
	__sync_fetch_and_add(seen, length);
	return 0;
}
