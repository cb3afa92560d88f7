/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Which socket of the host a frame belongs to. A frame sent at tc still belongs to the sender's.
 * For a received frame, addresses and ports are looked up as the stack will do: only an exact match
 * counts.
 */
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "copy.bpf.h"
#include "frame.bpf.h"
#include "marker.h"
#include "reduce.bpf.h"
#include "skb.bpf.h"

/* Set before load. */
const volatile __u32 who = 0;	    /* records say which socket a frame belongs to */
const volatile __u32 who_casts = 0; /* bpf_rdonly_cast exists (6.2) */
/* Hooks of netfilter that do not redirect frames: conntrack's. 0: not there. */
const volatile __u64 harmless_hooks[HARMLESS_HOOKS] = {};

const volatile __u32 who_chooses = 0; /* leave out the frames of the following sockets */

/* The caller's map takes the place of this one. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, EPB_OTHERS);
	__type(key, __u32);
	__type(value, struct epb_other);
} other_sockets SEC(".maps");

/*
 * Addresses of the namespace's interfaces, as user space keeps them: capture/attach/addresses.h.
 * IPv4 addresses are mapped ones. If the address of zeros is there, the map may be incomplete.
 */
struct address {
	__u32 word[4];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ADDRESSES_MAX);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct address);
	__type(value, __u32);
} addresses SEC(".maps");

/* The question about routes: the stack has no room for it. One program at a time asks on a CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_fib_lookup);
} asked_route SEC(".maps");

/* The kernel's structures of netfilter in a namespace. */
struct nf_hook_entry {
	void *hook, *priv;
} __attribute__((preserve_access_index));

struct nf_hook_entries {
	__u16 num_hook_entries;
	struct nf_hook_entry hooks[];
} __attribute__((preserve_access_index));

struct netns_nf {
	struct nf_hook_entries *hooks_ipv4[1];
	struct nf_hook_entries *hooks_ipv6[1];
} __attribute__((preserve_access_index));

struct net___nf {
	struct netns_nf nf;
} __attribute__((preserve_access_index));

#define STATE_TIME_WAIT 6  /* TCP_TIME_WAIT */
#define STATE_LISTEN	10 /* TCP_LISTEN */
#define STATE_REQUEST	12 /* TCP_NEW_SYN_RECV */
#define FAMILY_INET	2
#define FAMILY_INET6	10
#define PROTOCOL_TCP	6
#define PROTOCOL_UDP	17
#define HEADER_ROUTING	43
#define HEADER_FRAGMENT 44
#define EXTENSION_MAX	2048 /* of an extension header, in bytes */

static void *(*const rdonly_cast)(const void *object, __u32 type) = (void *)KFUNC_RDONLY_CAST;

struct found {
	__u64 how; /* EPB_SOCKET_... */
	__u64 cookie;
};

/* What the socket of a received frame is looked up by. */
struct ends {
	struct bpf_sock_tuple tuple;
	__u32 size; /* of tuple */
	__u32 protocol;
	__u32 ifindex;
	__u32 is_syn;  /* it begins a connection */
	__u32 to_many; /* it is multicast or broadcast */
};

static __always_inline int is_tag(__u32 type)
{
	return type == ETH_TYPE_VLAN || type == ETH_TYPE_QINQ || type == ETH_TYPE_QINQ1;
}

/* Returns the IP header, and its type; NULL: there is none here. */
static __always_inline const __u8 *find_ip(const __u8 *p, const void *end, struct ends *e,
					   __u32 *type)
{
	if (no_link_header) {
		if ((const void *)(p + 1) > end)
			return NULL;
		*type = *p >> 4 == 4 ? ETH_TYPE_IP : ETH_TYPE_IPV6;
		return p;
	}
	if ((const void *)(p + LINK_SIZE) > end)
		return NULL;
	e->to_many = *p & 1;
	*type = load_be16(p + 12);
	p += LINK_SIZE;
	for (int i = 0; i < VLAN_TAGS_MAX && is_tag(*type); i++) {
		if ((const void *)(p + TAG_SIZE) > end)
			return NULL;
		*type = load_be16(p + 2);
		p += TAG_SIZE;
	}
	return p;
}

/* Both return the transport header; NULL: there is none. */
static __always_inline const __u8 *take_ipv4(const __u8 *p, const void *end, struct ends *e)
{
	__u32 length, first;

	if ((const void *)(p + 20) > end)
		return NULL;
	length = (*p & 15) * 4;
	e->protocol = p[9];
	e->tuple.ipv4.saddr = *(const __u32 *)(p + 12);
	e->tuple.ipv4.daddr = *(const __u32 *)(p + 16);
	e->size = sizeof(e->tuple.ipv4);
	first = p[16];
	e->to_many |= first >= 224 && (first < 240 || e->tuple.ipv4.daddr == ~0u);
	if (length < 20 || load_be16(p + 6) & 0x1fff) /* a later fragment has no transport header */
		return NULL;
	return p + length;
}

static __always_inline const __u8 *take_ipv6(const __u8 *p, const void *end, struct ends *e)
{
	__u32 next;

	if ((const void *)(p + 40) > end)
		return NULL;
	next = p[6];
	e->size = sizeof(e->tuple.ipv6);
#pragma unroll
	for (int i = 0; i < 4; i++) {
		e->tuple.ipv6.saddr[i] = *(const __u32 *)(p + 8 + 4 * i);
		e->tuple.ipv6.daddr[i] = *(const __u32 *)(p + 24 + 4 * i);
	}
	e->to_many |= p[24] == 0xff;
	p += 40;
	for (int i = 0; i < EXTENSIONS_MAX; i++) {
		__u64 length = 8;

		if (next != 0 && next != HEADER_FRAGMENT && next != 60)
			break;
		if ((const void *)(p + 8) > end)
			return NULL;
		if (next == HEADER_FRAGMENT && load_be16(p + 2) & 0xfff8)
			return NULL;
		if (next != HEADER_FRAGMENT)
			length = p[1] * 8 + 8;
		next = *p;
		AT_MOST(length, EXTENSION_MAX); /* never more: for the verifier */
		p += length;
	}
	e->protocol = next;
	return p;
}

static __always_inline int is_ipv4(const struct ends *e)
{
	return e->size == sizeof(e->tuple.ipv4);
}

static __always_inline void set_ports(struct ends *e, __u16 from, __u16 to)
{
	if (is_ipv4(e)) {
		e->tuple.ipv4.sport = from;
		e->tuple.ipv4.dport = to;
	} else {
		e->tuple.ipv6.sport = from;
		e->tuple.ipv6.dport = to;
	}
}

/* 0: there is nothing to look up. */
static __always_inline int find_ends(const void *data, const void *end, struct ends *e)
{
	__u32 type = 0;
	const __u8 *p = find_ip(data, end, e, &type);

	if (!p)
		return 0;
	if (type == ETH_TYPE_IP)
		p = take_ipv4(p, end, e);
	else if (type == ETH_TYPE_IPV6)
		p = take_ipv6(p, end, e);
	else
		return 0;
	if (!p || (const void *)(p + 8) > end)
		return 0;
	set_ports(e, *(const __u16 *)p, *(const __u16 *)(p + 2));
	if (e->protocol != PROTOCOL_TCP)
		return e->protocol == PROTOCOL_UDP;
	if ((const void *)(p + TCP_SEEN) > end)
		return 0;
	e->is_syn = (p[13] & TCP_SYN_ACK) == TCP_SYN_NOT_ACK;
	return 1;
}

static __always_inline const struct sock_common *cast(const struct bpf_sock *sk)
{
	return rdonly_cast(sk, bpf_core_type_id_kernel(struct sock));
}

/* A request, and what is left of a connection, do not have these members. */
static __always_inline void note_owner(const struct sock_common *c, struct found *r)
{
	__u32 how = r->how;

	if (how == EPB_SOCKET_REQUEST || how == EPB_SOCKET_TIME_WAIT)
		return;
	if (who_casts && !BPF_CORE_READ_BITFIELD(c, skc_net_refcnt))
		r->how |= EPB_SOCKET_OF_KERNEL;
	if ((how == EPB_SOCKET_OWN || how == EPB_SOCKET_ESTABLISHED) &&
	    !((const struct sock *)c)->sk_socket)
		r->how |= EPB_SOCKET_NOT_OPEN;
}

static __always_inline int is_harmless(const void *hook)
{
	for (__u32 i = 0; i < HARMLESS_HOOKS; i++)
		if (harmless_hooks[i] && (__u64)hook == harmless_hooks[i])
			return 1;
	return 0;
}

/* May netfilter redirect it before it comes to a socket, as NAT and TPROXY do? */
static __always_inline int may_be_sent_elsewhere(const struct sock_common *c, const struct ends *e)
{
	const struct net___nf *net = (const void *)c->skc_net.net;
	const struct nf_hook_entries *before;
	__u32 n;

	if (!bpf_core_field_exists(net->nf)) /* a kernel without netfilter */
		return 0;
	before = is_ipv4(e) ? net->nf.hooks_ipv4[0] : net->nf.hooks_ipv6[0];
	if (!before)
		return 0;
	n = before->num_hook_entries;
#pragma unroll
	for (__u32 i = 0; i < HARMLESS_HOOKS / 2; i++)
		if (i < n && !is_harmless(before->hooks[i].hook))
			return 1;
	return n > HARMLESS_HOOKS / 2;
}

/* A route may bring a frame here whose address no interface has (ip route add local). */
static __always_inline int may_be_routed_here(void *ctx, const struct ends *e, const __u32 *zero)
{
	struct bpf_fib_lookup *to = bpf_map_lookup_elem(&asked_route, zero);
	long route;

	if (!to)
		return 1;
	__builtin_memset(to, 0, sizeof(*to));
	to->ifindex = e->ifindex;
	to->l4_protocol = e->protocol;
	if (is_ipv4(e)) {
		to->family = FAMILY_INET;
		to->ipv4_src = e->tuple.ipv4.saddr;
		to->ipv4_dst = e->tuple.ipv4.daddr;
		to->sport = e->tuple.ipv4.sport;
		to->dport = e->tuple.ipv4.dport;
	} else {
		to->family = FAMILY_INET6;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			to->ipv6_src[i] = e->tuple.ipv6.saddr[i];
			to->ipv6_dst[i] = e->tuple.ipv6.daddr[i];
		}
		to->sport = e->tuple.ipv6.sport;
		to->dport = e->tuple.ipv6.dport;
	}
	route = bpf_fib_lookup(ctx, to, sizeof(*to), 0);
	return route < 0 || route == BPF_FIB_LKUP_RET_NOT_FWDED ||
	       route == BPF_FIB_LKUP_RET_FWD_DISABLED; /* without forwarding, the answer says
							  nothing */
}

/* Is the frame's address the host's? Returns how if it is. */
static __always_inline __u32 check_address(void *ctx, const struct ends *e, __u32 how)
{
	struct address key = {};

	if (is_ipv4(e)) {
		int is_loopback = *(const __u8 *)&e->tuple.ipv4.daddr == 127;

		key.word[2] = bpf_htonl(0xffff);
		key.word[3] = is_loopback ? bpf_htonl(0x7f000001) : e->tuple.ipv4.daddr;
	} else {
#pragma unroll
		for (int i = 0; i < 4; i++)
			key.word[i] = e->tuple.ipv6.daddr[i];
	}
	if (bpf_map_lookup_elem(&addresses, &key))
		return how;
	key = (struct address){};
	if (bpf_map_lookup_elem(&addresses, &key) || may_be_routed_here(ctx, e, key.word))
		return EPB_SOCKET_UNSURE;
	return EPB_SOCKET_FORWARDED;
}

/*
 * A socket that accepts any sender counts only if the address is the host's, and nothing on the way
 * redirects the frame. c: NULL: the kernel does not let us look.
 */
static __always_inline __u32 check_way(void *ctx, const struct sock_common *c, const struct ends *e,
				       __u32 how)
{
	how = check_address(ctx, e, how);
	if (how != EPB_SOCKET_FORWARDED && (!c || may_be_sent_elsewhere(c, e)))
		return EPB_SOCKET_UNSURE;
	return how;
}

static __always_inline int has_cookie(__u32 how)
{
	return how != EPB_SOCKET_NONE && how < EPB_SOCKET_MANY;
}

/* Get what only the kernel's own types tell of a socket. */
static __always_inline void look_into(void *ctx, const struct bpf_sock *sk, const struct ends *e,
				      __u32 how, struct found *r)
{
	const struct sock_common *c =
		who_casts ? cast(sk) : (const void *)bpf_skc_to_tcp_sock((void *)sk);
	int from_anybody = how == EPB_SOCKET_LISTENER || how == EPB_SOCKET_BOUND;

	if (from_anybody)
		how = check_way(ctx, c, e, how);
	r->how = how;
	if (!c || !has_cookie(how))
		return;
	r->cookie = c->skc_cookie.counter;
	note_owner(c, r);
	if (how >= EPB_SOCKET_LISTENER && BPF_CORE_READ_BITFIELD(c, skc_reuseport))
		r->how |= EPB_SOCKET_SHARES_PORT;
}

static __always_inline __u32 how_tcp(const struct bpf_sock *sk, const struct ends *e)
{
	switch (sk->state) {
	case STATE_TIME_WAIT:
		return e->is_syn ? EPB_SOCKET_UNSURE : EPB_SOCKET_TIME_WAIT; /* or a listener's */
	case STATE_REQUEST:
		return EPB_SOCKET_REQUEST;
	case STATE_LISTEN:
		return e->is_syn ? EPB_SOCKET_LISTENER : EPB_SOCKET_NONE;
	default:
		return EPB_SOCKET_ESTABLISHED;
	}
}

/* Known to the compiler: can this hook tell the sockets of these frames? */
static __always_inline int knows_socket(const struct frame *f)
{
	return f->has_sender || f->may_look || f->has_drop;
}

static __always_inline void look_up_tcp(void *ctx, struct ends *e, struct found *r)
{
	struct bpf_sock *sk = is_ipv4(e) ? bpf_skc_lookup_tcp(ctx, &e->tuple, sizeof(e->tuple.ipv4),
							      BPF_F_CURRENT_NETNS, 0)
					 : bpf_skc_lookup_tcp(ctx, &e->tuple, sizeof(e->tuple.ipv6),
							      BPF_F_CURRENT_NETNS, 0);

	if (!sk) {
		r->how = check_address(ctx, e, EPB_SOCKET_NONE);
		return;
	}
	look_into(ctx, sk, e, how_tcp(sk, e), r);
	bpf_sk_release(sk);
}

static __always_inline void look_up_udp(void *ctx, struct ends *e, struct found *r)
{
	struct bpf_sock *sk = is_ipv4(e) ? bpf_sk_lookup_udp(ctx, &e->tuple, sizeof(e->tuple.ipv4),
							     BPF_F_CURRENT_NETNS, 0)
					 : bpf_sk_lookup_udp(ctx, &e->tuple, sizeof(e->tuple.ipv6),
							     BPF_F_CURRENT_NETNS, 0);

	if (!sk) {
		r->how = check_address(ctx, e, EPB_SOCKET_NONE);
		return;
	}
	look_into(ctx, sk, e, sk->dst_port ? EPB_SOCKET_CONNECTED : EPB_SOCKET_BOUND, r);
	bpf_sk_release(sk);
}

/* data, end: those of the frame. */
static __always_inline void find_receiver(void *ctx, const void *data, const void *end,
					  __u32 ifindex, struct found *r)
{
	struct ends e = {.ifindex = ifindex};

	if (!unaligned_access || !find_ends(data, end, &e))
		return;
	if (e.to_many)
		r->how = e.protocol == PROTOCOL_UDP ? EPB_SOCKET_MANY : EPB_SOCKET_NONE;
	else if (e.protocol == PROTOCOL_TCP)
		look_up_tcp(ctx, &e, r);
	else
		look_up_udp(ctx, &e, r);
}

/* This makes a cookie if there is none; that of a request is later the accepted socket's. */
static __always_inline void find_sender(struct __sk_buff *skb, struct found *r)
{
	struct bpf_sock *sk = skb->sk;

	r->how = EPB_SOCKET_NONE;
	if (!sk)
		return;
	r->how = sk->state == STATE_TIME_WAIT ? EPB_SOCKET_TIME_WAIT
		 : sk->state == STATE_REQUEST ? EPB_SOCKET_REQUEST
					      : EPB_SOCKET_OWN;
	if (who_casts)
		note_owner(cast(sk), r);
	r->cookie = bpf_get_socket_cookie(skb);
}

/* The receiving socket, from the tracepoint. Read by helper, because it may be NULL, which not
 * every verifier knows. */
static __always_inline const struct sock *drop_receiver(const struct frame *f)
{
	const struct sock *sk = (void *)0;

	if (drops_socket)
		bpf_probe_read_kernel(&sk, sizeof(sk), f->drop_args + 3);
	return sk;
}

static __always_inline int is_dropped_syn(const struct sk_buff *skb)
{
	__u32 at = BPF_CORE_READ(skb, transport_header);
	__u8 flags = 0;

	if (at != HEADER_UNSET)
		bpf_probe_read_kernel(&flags, 1, BPF_CORE_READ(skb, head) + at + 13);
	return (flags & TCP_SYN_ACK) == TCP_SYN_NOT_ACK;
}

/*
 * For a dropped frame: the socket that was to get it; for what the host has made, the socket that
 * it belongs to. A received frame may belong to others for a while: to its sender's, if that is on
 * this host, or to that of a connection that has ended, whose memory may be another's by now.
 */
static __always_inline void find_loser(const struct frame *f, struct found *r)
{
	const struct sk_buff *skb = (const void *)f->drop_args[0];
	const struct sock *sk = drop_receiver(f);
	__u32 is_receiver = sk != (void *)0, state;

	r->how = EPB_SOCKET_NONE;
	if (!sk && f->flags & EPB_FLAG_OUTBOUND)
		sk = BPF_CORE_READ(skb, sk);
	if (!sk)
		return;
	state = BPF_CORE_READ(sk, __sk_common.skc_state);
	if (state == STATE_TIME_WAIT || state == STATE_REQUEST) {
		if (is_receiver)
			return;
		r->how = state == STATE_REQUEST ? EPB_SOCKET_REQUEST : EPB_SOCKET_TIME_WAIT;
	} else if (state == STATE_LISTEN && BPF_CORE_READ(sk, sk_protocol) == PROTOCOL_TCP) {
		if (!is_dropped_syn(skb))
			return;
		r->how = EPB_SOCKET_LISTENER;
	} else {
		r->how = EPB_SOCKET_OWN;
		if (!BPF_CORE_READ(sk, sk_socket))
			r->how |= EPB_SOCKET_NOT_OPEN;
	}
	r->cookie = BPF_CORE_READ(sk, __sk_common.skc_cookie.counter);
}

static __always_inline void find_socket(void *ctx, enum hook hook, struct found *r,
					const struct frame *f)
{
	r->how = EPB_SOCKET_UNASKED;
	r->cookie = 0;
	if (f->has_drop) {
		find_loser(f, r);
	} else if (f->has_sender) {
		find_sender(ctx, r);
	} else if (hook == HOOK_XDP) {
		struct xdp_md *xdp = ctx;

		find_receiver(ctx, (void *)(long)xdp->data, (void *)(long)xdp->data_end,
			      xdp->ingress_ifindex, r);
	} else {
		struct __sk_buff *skb = ctx;

		find_receiver(ctx, (void *)(long)skb->data, (void *)(long)skb->data_end,
			      skb->ifindex, r);
	}
}

/* Does it belong to a socket that is not wanted? If several share a port, it may be another's. */
static __always_inline int is_of_another(const struct found *found)
{
	__u32 slot = found->cookie % EPB_OTHERS;
	struct epb_other *other;

	if (!who_chooses || !found->cookie || found->how & EPB_SOCKET_SHARES_PORT)
		return 0;
	other = bpf_map_lookup_elem(&other_sockets, &slot);
	if (!other || READ_ONCE(other->cookie) != found->cookie)
		return 0;
	__sync_fetch_and_add(&other->frames, 1);
	return 1;
}
