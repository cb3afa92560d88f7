// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The capture programs: filter a frame, copy it as a pcapng block into this CPU's ring, pass it on.
 *
 * The filter is not called: its instructions replace FILTER_MARKER before the program is loaded
 * (filter/splice.h). As compiled, the marker is a constant that takes every frame whole.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>

#include "marker.h"
#include "record.h"

char _license[] SEC("license") = "Dual BSD/GPL";

/* Set before load; constant for the verifier, which drops what they rule out. */
const volatile __u64 ring_mask = 0;   /* ring size - 1 */
const volatile __u64 chunk_mask = 0;  /* size of a chunk - 1 */
const volatile __u32 chunk_shift = 0; /* log2 of that size */
/* Of the pcapng interface blocks that records of received and of sent frames belong to. */
const volatile __u32 interface_ids[SIDES] = {};
const volatile __u32 clock_is_tai = 0;	       /* bpf_ktime_get_tai_ns is there (6.1) */
const volatile __u32 clock_is_coarse = 0;      /* CLOCK_MONOTONIC as of the last tick is enough */
const volatile __u32 no_link_header = 0;       /* the device has raw IP: nowhere to put a tag */
const volatile __u32 mark_tags = 0;	       /* say of tags that they lay beside the frame */
const volatile __u32 packet_outbound_only = 0; /* another hook has what comes in */
const volatile __u32 packet_inbound_only = 0;  /* what goes out is not wanted */
const volatile __u32 bound_vlan = 0;	       /* what the program bound to the device asks for: */
const volatile __u32 bound_time = 0;	       /* see capture/attach/facts.h */
const volatile __u32 bound_hash = 0;	       /* EPB_HASH_... + 1 */
const volatile __u32 after_drop = 0;	       /* frames that were captured end here, */
const volatile __u32 rest_drop = 0;	       /* and those that were not wanted */
const volatile __u32 cpus_sparse = 0;	       /* ring numbers are not CPU numbers: look them up */
const volatile __u32 plain_stores = 0;	       /* publish without a barrier: ring.bpf.h */

/* uapi since 6.6. */
#define TCX_NEXT (-1)
#define TCX_DROP 2
/* Of linux/if_packet.h, which does not compile here. */
#define PACKET_OUTGOING 4

#define MAX_CPUS 4096
#define NO_RING	 0xffff
/* The most one record can take of a frame: a GRO frame of 64 KiB, its link header and tags. */
#define CAPLEN_MAX (65536u + 64)

#include "reduce.bpf.h"
#include "buff.bpf.h"

const volatile __u16 ring_of_cpu[MAX_CPUS] = {};

/* One entry per ring; sized before load. See record.h for the value. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, RING_VALUE_SIZE(RING_SIZE_MIN));
} rings SEC(".maps");

/* Carries no data: an entry in it wakes the reader. Entries are 16 bytes, one per ring and sleep.
 */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} doorbell SEC(".maps");

/* Where xdp_root finds the capture program; replacing the entry swaps the filter. */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, CAPTURE_SLOTS);
	__type(key, __u32);
	__type(value, __u32);
} slots SEC(".maps");

/* engine=divert: the socket of each receive queue. Made only where it is used; sized before load.
 */
struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} sockets SEC(".maps");

/* The same for packet_root: programs of one array are of one type. */
struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} packet_slots SEC(".maps");

/*
 * Frames, received and sent, on a CPU that came online after the capture was opened: it has no
 * ring.
 */
__u64 lost_no_ring[SIDES] = {};

/* Of the kernel's net/xdp.h. Bits that say of what the hash is; none: there is none. */
enum xdp_rss_hash_type { XDP_RSS_TYPE_NONE = 0, XDP_RSS_TYPE_ANY = 0xffffffffU };

extern int bpf_xdp_metadata_rx_timestamp(const struct xdp_md *ctx, __u64 *timestamp) __ksym __weak;
extern int bpf_xdp_metadata_rx_hash(const struct xdp_md *ctx, __u32 *hash,
				    enum xdp_rss_hash_type *rss_type) __ksym __weak;

/* What the hook knows of a frame beside its bytes. */
struct frame {
	__u32 length;	  /* of the frame as recorded, its tag included */
	__u32 snaplen;	  /* bytes that the user asked for */
	__u32 generation; /* of the filter, where its verdict is the last word; else 0 */
	__u32 keep;	  /* the filter's verdict: bytes to keep */
	__u32 flags;	  /* epb_flags */
	__u32 queue;
	__u32 tag; /* TPID << 16 | TCI of a tag that lies beside the frame; 0: none */
	__u32 hash;
	__u32 has_hash;
	__u32 verdict; /* of the XDP program that the frame has gone through, XDP_... */
	__u32 has_verdict;
	__u32 unsure;	/* the filter has not run: user space has to */
	__u64 nic_time; /* 0: none */
	__u32 reduced;	/* less of it may be kept, or nothing: reduce.bpf.h */

	__u32 has_sender; /* on its way out, and still the socket's that sent it */
};

#include "count.bpf.h"

/*
 * Run the filter on the frame. The asm statement is the splice point: the classic filter's return
 * value in r0. r1-r5 are lost as in a call; r6-r9 are kept.
 */
#define RUN_FILTER(ctx, marker)                                                                    \
	({                                                                                         \
		register void *ctx_ asm("r1") = (ctx);                                             \
		register __u64 verdict_ asm("r0");                                                 \
		asm volatile("%0 = %2 ll"                                                          \
			     : "=r"(verdict_), "+r"(ctx_)                                          \
			     : "i"(marker)                                                         \
			     : "r2", "r3", "r4", "r5", "memory");                                  \
		(__u32) verdict_;                                                                  \
	})

/* The same with a tag beside the frame: the filter finds it in its own stack slot. */
#define RUN_FILTER_TAGGED(ctx, marker, tag)                                                        \
	({                                                                                         \
		register void *ctx_ asm("r1") = (ctx);                                             \
		register __u64 verdict_ asm("r0");                                                 \
		register __u64 tag_ asm("r2") = (tag);                                             \
		asm volatile("*(u64 *)(r10 %3) = %2\n%0 = %4 ll"                                   \
			     : "=r"(verdict_), "+r"(ctx_), "+r"(tag_)                              \
			     : "i"(FILTER_TAG_SLOT), "i"(marker)                                   \
			     : "r3", "r4", "r5", "memory");                                        \
		(__u32) verdict_;                                                                  \
	})

static __always_inline struct ring_control *ring_of_this_cpu(const struct frame *f)
{
	__u32 i = bpf_get_smp_processor_id();
	struct ring_control *r;

	if (cpus_sparse)
		i = i < MAX_CPUS ? ring_of_cpu[i] : NO_RING;
	r = bpf_map_lookup_elem(&rings, &i);
	if (!r && f->keep)
		__sync_fetch_and_add(&lost_no_ring[side_of(f)], 1);
	return r;
}

static __always_inline __u64 wall_clock(const struct ring_control *r)
{
	__u64 now;

	if (clock_is_coarse)
		now = bpf_ktime_get_coarse_ns();
	else
		now = clock_is_tai ? bpf_ktime_get_tai_ns() : bpf_ktime_get_ns();
	return now + *(volatile const __s64 *)&r->clock_offset;
}

#include "ring.bpf.h"
#include "write.bpf.h"

/* Number of the filter that this program was made with; 0: of none. */
static __always_inline __u32 filter_generation(void)
{
	__u64 number;

	asm volatile("%0 = %1 ll" : "=r"(number) : "i"(GENERATION_MARKER));
	return number;
}

/* Evenly, of the frames that the filter takes on this CPU and side. */
static __always_inline int is_sampled_out(struct ring_control *r, const struct frame *f)
{
	if (!f->reduced || sample_every < 2 || r->side[side_of(f)].matched % sample_every == 0)
		return 0;
	count_left_out(r, f, &r->sampled_out);
	return 1;
}

/* What is to become of the frame. */
enum fate {
	FATE_PASS, /* go on as if nobody captured */
	FATE_KEPT, /* the filter took it: it is recorded, or counted as lost */
	FATE_REST, /* the filter did not */
	FATE_SENT, /* to a socket: it is no longer ours */
};

#include "divert.bpf.h"
#include "tags.bpf.h"

/* To the ring of this CPU, or to the socket of the frame's queue. */
enum sink { SINK_RING, SINK_SOCKET };

static __always_inline void record(void *ctx, enum hook hook, struct ring_control *r,
				   const struct frame *f)
{
	__u64 total = is_sampled_out(r, f) ? 0 : record_write(ctx, hook, r, f);

	if (total) {
		r->write += total;
		ring_publish(r, r->write);
	}
}

/*
 * Sent by the reader of this ring, and going out: as by AF_PACKET it does not read these. What
 * comes back it does read, though that may still be the socket's, too.
 */
static __always_inline int is_own(void *ctx, const struct ring_control *r, const struct frame *f)
{
	__u64 own = f->has_sender ? *(volatile const __u64 *)&r->own_socket : 0;

	return own && bpf_get_socket_cookie(ctx) == own;
}

static __always_inline enum fate capture(void *ctx, enum hook hook, enum sink sink, struct frame *f)
{
	struct ring_control *r = ring_of_this_cpu(f);
	enum fate fate = FATE_REST;
	struct side_counts *side;
	__u32 mode, armed;

	if (!r || *(volatile __u32 *)&r->unwanted & f->flags || is_own(ctx, r, f))
		return FATE_PASS;
	armed = sink == SINK_SOCKET || after_drop || rest_drop ? *(volatile __u32 *)&r->armed : 0;
	if (sink == SINK_SOCKET && !armed)
		return FATE_PASS;
	mode = *(volatile __u32 *)&r->mode;
	/* The host's frames are not taken on suspicion. */
	if (mode & RING_TAKE_ALL && (sink == SINK_RING || rest_drop))
		f->keep = ~0u;
	if (r->busy) {
		if (f->keep)
			__sync_fetch_and_add(&r->lost_reentry[side_of(f)], 1);
		return FATE_PASS;
	}
	r->busy = 1;
	barrier();
	side = &r->side[side_of(f)];
	side->offered++;
	if (!mode && !f->unsure) {
		f->snaplen = *(volatile __u32 *)&r->snaplen;
		f->generation = filter_generation();
		f->reduced = 1;
	} else if (f->keep) {
		f->keep = f->snaplen = ~0u;
	}
	if (f->keep) {
		side->matched++;
		fate = FATE_KEPT;
		if (sink == SINK_SOCKET)
			fate = divert(ctx, r, f);
		else
			record(ctx, hook, r, f);
	}
	barrier();
	r->busy = 0;
	return fate == FATE_SENT || armed ? fate : FATE_PASS;
}

/* after=drop, rest=drop. */
static __always_inline int is_dropped(enum fate fate)
{
	return (after_drop && fate == FATE_KEPT) || (rest_drop && fate == FATE_REST);
}

static __always_inline int xdp_action(enum fate fate)
{
	if (fate == FATE_SENT)
		return XDP_REDIRECT;
	return is_dropped(fate) ? XDP_DROP : XDP_PASS;
}

/* Attached for as long as the capture lives; the program in the slot is swapped under it. */
SEC("xdp.frags")
int xdp_root(struct xdp_md *ctx)
{
	bpf_tail_call(ctx, &slots, 0);
	return XDP_PASS;
}

SEC("xdp.frags")
int xdp_capture(struct xdp_md *ctx)
{
	struct frame f = {.flags = EPB_FLAG_INBOUND, .queue = ctx->rx_queue_index};

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

/* For those who asked; drivers say 0 or -ENODATA where a frame has none. */
static __always_inline void ask_driver(const struct xdp_md *ctx, struct frame *f)
{
	enum xdp_rss_hash_type type = XDP_RSS_TYPE_NONE;
	/* A frame whose address is given away is no longer held in registers. */
	__u64 nic_time = 0;
	__u32 hash = 0;

	if (bound_time && bpf_xdp_metadata_rx_timestamp(ctx, &nic_time) == 0)
		f->nic_time = nic_time;
	if (bound_hash && bpf_xdp_metadata_rx_hash(ctx, &hash, &type) == 0)
		f->has_hash = type != XDP_RSS_TYPE_NONE;
	f->hash = hash;
}

/*
 * The same, bound to the device, for what its driver tells of a frame beside the bytes. Such a
 * program cannot be reached by tail call: it is attached itself.
 */
SEC("xdp.frags")
int xdp_capture_bound(struct xdp_md *ctx)
{
	struct frame f = {.flags = EPB_FLAG_INBOUND, .queue = ctx->rx_queue_index};

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
int xdp_divert_bound(struct xdp_md *ctx)
{
	struct frame f = {.flags = EPB_FLAG_INBOUND, .queue = ctx->rx_queue_index};

	f.tag = stripped_tag(ctx);
	f.keep = f.tag ? RUN_FILTER_TAGGED(ctx, FILTER_MARKER_TAGGED, f.tag)
		       : RUN_FILTER(ctx, FILTER_MARKER);
	f.length = bpf_xdp_get_buff_len(ctx);
	ask_driver(ctx, &f);
	return xdp_action(capture(ctx, HOOK_XDP, SINK_SOCKET, &f));
}

/*
 * tc, by TCX links (6.6): here the frame is an skb, after GRO on the way in and before segmentation
 * on the way out. A tag beside it is put back into the record; the filter (FILTER_SKB) looks for it
 * by itself.
 */
static __always_inline enum fate capture_skb(struct __sk_buff *skb, struct frame *f)
{
	f->length = skb->len;
	if (skb->vlan_present && !no_link_header) {
		f->tag = bpf_ntohs(skb->vlan_proto) << 16 | skb->vlan_tci;
		f->length += 4;
		if (mark_tags)
			f->flags |= EPB_FLAG_TAG_BESIDE;
	}
	return capture(skb, HOOK_SKB, SINK_RING, f);
}

/* As skb_record_rx_queue() has it: 0 is no queue recorded, 1 the first. */
static __always_inline __u32 receive_queue(const struct __sk_buff *skb)
{
	return skb->queue_mapping ? skb->queue_mapping - 1 : 0;
}

SEC("tc")
int tc_ingress(struct __sk_buff *skb)
{
	struct frame f = {.flags = EPB_FLAG_INBOUND, .queue = receive_queue(skb)};

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
 * The packet hook, for kernels before TCX: a filter on a packet socket, which records what it is
 * asked about and takes nothing. The socket has this one, as its memory has to hold its program
 * (net.core.optmem_max, 20 KiB before 6.9), and while one replaces another both.
 */
SEC("socket")
int packet_root(struct __sk_buff *skb)
{
	bpf_tail_call(skb, &packet_slots, 0);
	return 0;
}

/*
 * The frame's side, without a branch: where both sides go on together the verifier then sees one
 * state, and goes through the rest once.
 */
static __always_inline __u32 direction_of(const struct __sk_buff *skb)
{
	__u32 other = *(const volatile __u32 *)&skb->pkt_type ^ PACKET_OUTGOING;

	return EPB_FLAG_INBOUND + ((other - 1) >> 31);
}

SEC("socket")
int packet_socket(struct __sk_buff *skb)
{
	struct frame f = {};

	if (skb->pkt_type == PACKET_OUTGOING) {
		if (packet_inbound_only)
			return 0;
		f.queue = skb->queue_mapping;
		f.keep = RUN_FILTER(skb, FILTER_MARKER_OUTBOUND);
	} else {
		if (packet_outbound_only)
			return 0;
		f.queue = receive_queue(skb);
		f.keep = RUN_FILTER(skb, FILTER_MARKER);
	}
	f.flags = direction_of(skb);
	capture_skb(skb, &f);
	return 0;
}

#include "trace.bpf.h"
