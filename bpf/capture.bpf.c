// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/* The capture programs: filter a frame, copy it into this CPU's ring as a record, pass it on. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>

#include "capture.bpf.h"
#include "drops.bpf.h"
#include "filter.bpf.h"
#include "tags.bpf.h"
#include "timer.bpf.h"
#include "trace.bpf.h"

char _license[] SEC("license") = "Dual BSD/GPL";

/* In the uapi headers since 6.6. */
#define TCX_NEXT (-1)
#define TCX_DROP 2
/* From linux/if_packet.h, which does not compile here. */
#define PACKET_HOST	 0
#define PACKET_BROADCAST 1
#define PACKET_MULTICAST 2
#define PACKET_OUTGOING	 4
/* The same in every network namespace. */
#define LOOPBACK_IFINDEX 1
#define ETH_HEADER	 14

/* The same for packet_root: all programs in an array have one type. */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} packet_slots SEC(".maps");

/* From the kernel's net/xdp.h. The bits say what the hash was computed from; none: there is no
 * hash. */
enum xdp_rss_hash_type { XDP_RSS_TYPE_NONE = 0, XDP_RSS_TYPE_ANY = 0xffffffffU };

static int (*const rx_timestamp)(const struct xdp_md *ctx,
				 __u64 *timestamp) = (void *)KFUNC_RX_TIMESTAMP;
static int (*const rx_hash)(const struct xdp_md *ctx, __u32 *hash,
			    enum xdp_rss_hash_type *rss_type) = (void *)KFUNC_RX_HASH;

/* With after=drop or rest=drop. */
static __always_inline int is_dropped(enum fate fate)
{
	return keeps_frames &&
	       ((after_drop && fate == FATE_KEPT) || (rest_drop && fate == FATE_REST));
}

static __always_inline int xdp_action(enum fate fate)
{
	if (fate == FATE_SENT)
		return XDP_REDIRECT;
	return is_dropped(fate) ? XDP_DROP : XDP_PASS;
}

/* Attached for as long as the capture lives; the program in the slot is swapped. */
SEC("xdp.frags")
int xdp_root(struct xdp_md *ctx)
{
	bpf_tail_call(ctx, &slots, 0);
	return XDP_PASS;
}

SEC("xdp.frags")
int xdp_capture(struct xdp_md *ctx)
{
	struct frame f = {.flags = EPB_FLAG_INBOUND, .queue = ctx->rx_queue_index, .may_look = 1};

	if (is_unsure(ctx))
		take_unsure(&f);
	else
		f.keep = RUN_FILTER(ctx, FILTER_MARKER);
	f.length = bpf_xdp_get_buff_len(ctx);
	return xdp_action(capture(ctx, HOOK_XDP, SINK_RING, &f));
}

SEC("xdp.frags")
int xdp_divert(struct xdp_md *ctx)
{
	struct frame f = {.flags = EPB_FLAG_INBOUND, .queue = ctx->rx_queue_index};

	f.keep = RUN_FILTER(ctx, FILTER_MARKER);
	f.length = bpf_xdp_get_buff_len(ctx);
	return xdp_action(capture(ctx, HOOK_XDP, SINK_SOCKET, &f));
}

/* Only if asked for; drivers return 0 or -ENODATA if a frame has none. */
static __always_inline void ask_driver(const struct xdp_md *ctx, struct frame *f)
{
	enum xdp_rss_hash_type type = XDP_RSS_TYPE_NONE;
	/* The address of a local is passed, not of a member: else f would not stay in registers. */
	__u64 nic_time = 0;
	__u32 hash = 0;

	if (bound_time && rx_timestamp(ctx, &nic_time) == 0)
		f->nic_time = nic_time;
	if (bound_hash && rx_hash(ctx, &hash, &type) == 0)
		f->has_hash = type != XDP_RSS_TYPE_NONE;
	f->hash = hash;
}

/*
 * The same, bound to the device, for what its driver knows of a frame apart from its bytes. A tail
 * call cannot reach such a program, so it is attached itself. The kernel keeps 15 characters of its
 * name.
 */
SEC("xdp.frags")
int xdp_capture_dev(struct xdp_md *ctx)
{
	struct frame f = {.flags = EPB_FLAG_INBOUND,
			  .queue = ctx->rx_queue_index,
			  .may_look = 1,
			  .may_have_tag = 1};

	f.tag = stripped_tag(ctx);
	if (f.tag) {
		if (tags_unsure)
			take_unsure(&f);
		else
			f.keep = RUN_FILTER_TAGGED(ctx, FILTER_MARKER_TAGGED, f.tag);
		f.length = bpf_xdp_get_buff_len(ctx) + 4;
	} else {
		if (is_unsure(ctx))
			take_unsure(&f);
		else
			f.keep = RUN_FILTER(ctx, FILTER_MARKER);
		f.length = bpf_xdp_get_buff_len(ctx);
	}
	ask_driver(ctx, &f);
	return xdp_action(capture(ctx, HOOK_XDP, SINK_RING, &f));
}

SEC("xdp.frags")
int xdp_divert_dev(struct xdp_md *ctx)
{
	struct frame f = {.flags = EPB_FLAG_INBOUND,
			  .queue = ctx->rx_queue_index,
			  .may_have_tag = 1};

	f.tag = stripped_tag(ctx);
	f.keep = f.tag ? RUN_FILTER_TAGGED(ctx, FILTER_MARKER_TAGGED, f.tag)
		       : RUN_FILTER(ctx, FILTER_MARKER);
	f.length = bpf_xdp_get_buff_len(ctx);
	ask_driver(ctx, &f);
	return xdp_action(capture(ctx, HOOK_XDP, SINK_SOCKET, &f));
}

/*
 * tc, by TCX links (6.6): here the frame is an skb, after GRO if it is received, and before
 * segmentation if it is sent. A tag beside it is put back into the record; the filter (FILTER_SKB)
 * finds it by itself.
 */
static __always_inline enum fate capture_skb(struct __sk_buff *skb, struct frame *f)
{
	f->length = skb->len;
	f->may_have_tag = 1;
	if (skb->vlan_present && !no_link_header) {
		f->tag = bpf_ntohs(skb->vlan_proto) << 16 | skb->vlan_tci;
		f->length += 4;
		if (mark_tags)
			f->flags |= EPB_FLAG_TAG_BESIDE;
	}
	return capture(skb, HOOK_SKB, SINK_RING, f);
}

/* As in skb_record_rx_queue(): 0 means that no queue is recorded, 1 the first one. */
static __always_inline __u32 receive_queue(const struct __sk_buff *skb)
{
	return skb->queue_mapping ? skb->queue_mapping - 1 : 0;
}

/* Some drivers fill in the stamp later: until then it is a pointer, whose upper bit is set
 * (6.1). */
static __always_inline __u64 stamp_of_driver(const struct __sk_buff *skb)
{
	__u64 stamp = skb->hwtstamp;

	return (__s64)stamp > 0 ? stamp : 0;
}

SEC("tc")
int tc_ingress(struct __sk_buff *skb)
{
	struct frame f = {.flags = EPB_FLAG_INBOUND, .queue = receive_queue(skb), .may_look = 1};

	if (bound_time)
		f.nic_time = stamp_of_driver(skb);
	f.keep = RUN_FILTER(skb, FILTER_MARKER);
	return is_dropped(capture_skb(skb, &f)) ? TCX_DROP : TCX_NEXT;
}

SEC("tc")
int tc_egress(struct __sk_buff *skb)
{
	struct frame f = {.flags = EPB_FLAG_OUTBOUND, .queue = skb->queue_mapping, .has_sender = 1};

	f.keep = RUN_FILTER(skb, FILTER_MARKER_OUTBOUND);
	capture_skb(skb, &f);
	return TCX_NEXT;
}

/*
 * The packet hook, for kernels before TCX: a filter on a packet socket, which records the frames
 * that it is called for and accepts none. The socket has this small program, because its memory
 * must hold its program (net.core.optmem_max, 20 KiB before 6.9), or two while one replaces
 * another.
 */
SEC("socket")
int packet_root(struct __sk_buff *skb)
{
	bpf_tail_call(skb, &packet_slots, 0);
	return 0;
}

/*
 * The frame's side, without a branch: so the verifier sees one state where the code for both sides
 * goes on together, and goes through the rest once.
 */
static __always_inline __u32 direction_of(const struct __sk_buff *skb)
{
	__u32 other = READ_ONCE(skb->pkt_type) ^ PACKET_OUTGOING;

	return EPB_FLAG_INBOUND + ((other - 1) >> 31);
}

/* A packet socket sees both sides. 0: this one is not captured. */
static __always_inline int choose_by_direction(struct __sk_buff *skb, struct frame *f)
{
	if (skb->pkt_type == PACKET_OUTGOING) {
		if (packet_inbound_only)
			return 0;
		f->queue = skb->queue_mapping;
		f->keep = RUN_FILTER(skb, FILTER_MARKER_OUTBOUND);
	} else {
		if (packet_outbound_only)
			return 0;
		f->queue = receive_queue(skb);
		f->keep = RUN_FILTER(skb, FILTER_MARKER);
	}
	return 1;
}

SEC("socket")
int packet_socket(struct __sk_buff *skb)
{
	struct frame f = {};

	if (!choose_by_direction(skb, &f))
		return 0;
	f.flags = direction_of(skb);
	capture_skb(skb, &f);
	return 0;
}

/* The values of pcapng. */
static __always_inline __u32 reception_of(__u32 pkttype)
{
	switch (pkttype) {
	case PACKET_HOST:
		return EPB_FLAG_RECEPTION(1);
	case PACKET_MULTICAST:
		return EPB_FLAG_RECEPTION(2);
	case PACKET_BROADCAST:
		return EPB_FLAG_RECEPTION(3);
	case PACKET_OUTGOING:
		return 0;
	default:
		return EPB_FLAG_RECEPTION(4);
	}
}

/* If a frame is sent with the tag in it, the packet begins after the tag, as on packet sockets. */
static __always_inline __u32 tag_in_frame(struct __sk_buff *skb, struct frame *f)
{
	__u16 tag[2]; /* TCI, and the protocol after it */
	__u32 protocol = bpf_ntohs(f->protocol);

	if ((protocol != ETH_TYPE_VLAN && protocol != ETH_TYPE_QINQ) ||
	    bpf_skb_load_bytes_relative(skb, ETH_HEADER, tag, sizeof(tag), BPF_HDR_START_MAC))
		return 0;
	f->protocol = tag[1];
	return protocol << 16 | bpf_ntohs(tag[0]);
}

static __always_inline struct frame frame_of_any(const struct __sk_buff *skb)
{
	return (struct frame){.cooked = 1,
			      .may_have_tag = 1,
			      .ifindex = skb->ifindex,
			      .pkttype = skb->pkt_type,
			      .protocol = skb->protocol};
}

static __always_inline void capture_cooked(struct __sk_buff *skb, struct frame *f)
{
	if (f->keep && f->keep < COOKED_KEEP_MAX)
		f->keep += COOKED_MORE;
	f->flags = direction_of(skb) | reception_of(f->pkttype);
	f->length = skb->len + sizeof(struct epb_cooked);
	f->tag = skb->vlan_present ? bpf_ntohs(skb->vlan_proto) << 16 | skb->vlan_tci
				   : tag_in_frame(skb, f);
	if (f->tag) {
		f->length += COOKED_TAG;
		f->flags |= EPB_FLAG_TAG_BESIDE;
	}
	capture(skb, HOOK_SKB, SINK_RING, f);
}

/* For all interfaces: on a packet socket that is bound to none. */
SEC("socket")
int packet_any(struct __sk_buff *skb)
{
	struct frame f = frame_of_any(skb);

	/* Loopback receives what it sends: once is enough. */
	if (f.pkttype == PACKET_OUTGOING && f.ifindex == LOOPBACK_IFINDEX)
		return 0;
	if (interfaces_chosen && is_left_out(f.ifindex))
		return 0;
	if (choose_by_direction(skb, &f))
		capture_cooked(skb, &f);
	return 0;
}

/*
 * The same for the sockets of many network namespaces: a record names its namespace in place of the
 * interface, whose index is in the cooked header. To the kernel, the context is the sk_buff.
 */
SEC("socket")
int packet_namespaces(struct __sk_buff *skb)
{
	struct frame f = frame_of_any(skb);

	if (f.pkttype == PACKET_OUTGOING && f.ifindex == LOOPBACK_IFINDEX)
		return 0;
	f.by_netns = 1;
	f.netns = BPF_CORE_READ((struct sk_buff *)skb, dev, nd_net.net, ns.inum);
	if (choose_by_direction(skb, &f))
		capture_cooked(skb, &f);
	return 0;
}
