/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * engine=divert by sockets: a matching frame goes into the AF_XDP socket of its receive queue, with
 * what is known of it in front. Without sockets, and if the driver leaves no room in front of the
 * frame, it is recorded like any other, and dropped.
 */
#pragma once

#include "count.bpf.h"
#include "ring.bpf.h"

/* The socket of each receive queue. Only made if it is used; its size is set before load. */
struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} sockets SEC(".maps");

/* What becomes of the frame. */
enum fate {
	FATE_PASS, /* pass it on as if nobody captured */
	FATE_KEPT, /* the filter matched: it is recorded, or counted as lost, */
	FATE_RING, /* or must be, because no socket can have it */
	FATE_REST, /* the filter did not match */
	FATE_SENT, /* sent to a socket: it is no longer ours */
};

static __always_inline void write_meta(struct divert_meta *m, const struct ring_control *r,
				       const struct frame *f)
{
	__u64 now = wall_clock(r), number = packet_number(r);

	m->time_high = now >> 32;
	m->time_low = now;
	m->packetid_low = number;
	m->packetid_high = EPB_PACKETID_HIGH(number, f->generation, bpf_get_smp_processor_id());
	m->length = f->length;
	m->keep = f->keep;
	m->tag = f->tag;
}

static __always_inline void write_hints(struct divert_hints *t, const struct frame *f)
{
	t->nic_time_high = f->nic_time >> 32;
	t->nic_time_low = f->nic_time;
	t->hash = f->hash;
	t->hash_algorithm = f->has_hash ? bound_hash : 0;
}

/*
 * There is no room in front of the frame: it goes to the ring, unless nobody reads that. Drivers
 * only show this frame by frame; older kernels give 32 bytes at most.
 */
static __always_inline enum fate divert_to_ring(struct ring_control *r)
{
	r->no_headroom++;
	if (READ_ONCE(r->armed) == RING_ARMED)
		return FATE_RING;
	r->no_socket++;
	return FATE_PASS;
}

/*
 * If the queue has no socket, the host gets the frame, which is counted. If the kernel drops it
 * later, because the socket has no buffer for it, the socket counts that.
 */
static __always_inline enum fate divert(struct xdp_md *ctx, struct ring_control *r,
					const struct frame *f)
{
	const int hints = bound_time || bound_hash ? sizeof(struct divert_hints) : 0;
	const int size = sizeof(struct divert_meta) + hints;
	void *meta, *data;

	if (bpf_xdp_adjust_meta(ctx, -size))
		return divert_to_ring(r);
	meta = (void *)(long)ctx->data_meta;
	data = (void *)(long)ctx->data;
	if (meta + size <= data) {
		if (hints)
			write_hints(meta, f);
		write_meta(meta + hints, r, f);
		if (bpf_redirect_map(&sockets, ctx->rx_queue_index, XDP_PASS) == XDP_REDIRECT) {
			r->diverted++;
			return FATE_SENT;
		}
	}
	bpf_xdp_adjust_meta(ctx, size); /* or GRO would not merge frames */
	r->no_socket++;
	return FATE_PASS;
}
