/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Writes a frame into the ring, as the record that bpf/record.h describes. */
#pragma once

#include "cooked.bpf.h"
#include "copy.bpf.h"
#include "count.bpf.h"
#include "reduce.bpf.h"
#include "ring.bpf.h"
#include "sets.bpf.h"
#include "socket.bpf.h"
#include "watch.bpf.h"

static __always_inline void write_header(struct epb_header *h, const struct frame *f, __u64 now,
					 __u32 caplen, __u32 total)
{
	h->type = EPB_TYPE;
	h->total_length = total;
	h->interface_id = f->by_netns ? f->netns
			  : f->cooked ? f->ifindex
				      : interface_ids[side_of(f)];
	h->time_high = now >> 32;
	h->time_low = now;
	h->caplen = caplen;
	h->len = f->length;
}

static __always_inline __u32 extra_size(const struct frame *f)
{
	return (f->nic_time ? sizeof(struct epb_nic_time) : 0) +
	       (f->has_verdict ? sizeof(struct epb_verdict) : 0) +
	       (f->has_hash ? sizeof(struct epb_hash) : 0) +
	       (f->has_drop ? sizeof(struct epb_drop) : 0);
}

static __always_inline void write_drop(struct epb_drop *d, const struct frame *f)
{
	d->option = EPB_OPT_DROP_RAW;
	d->reason = drops_reason ? f->drop_args[2] : 0;
	d->ifindex = f->ifindex;
	d->netns = f->netns;
	d->place[0] = f->drop_args[1];
	d->place[1] = f->drop_args[1] >> 32;
	*d->ifname = 0;
	if (f->drop_ifname)
		bpf_probe_read_kernel(d->ifname, sizeof(d->ifname), f->drop_ifname);
}

/* Where byte i of a verdict, from the least significant, is stored. A verdict has no alignment. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define VERDICT_BYTE(i) (i)
#else
#define VERDICT_BYTE(i) (7 - (i))
#endif

/*
 * Options that not every record has: hash, verdict, drop, the interface's time stamp. Returns their
 * end.
 */
static __always_inline void *write_extra(void *at, const struct frame *f)
{
	if (f->has_hash) {
		struct epb_hash *h = at;

		h->option = EPB_OPT_HASH;
		h->algorithm = bound_hash - 1;
		for (int i = 0; i < 4; i++)
			h->value[i] = f->hash >> (24 - 8 * i);
		for (int i = 0; i < 3; i++)
			h->padding[i] = 0;
		at += sizeof(*h);
	}
	if (f->has_verdict) {
		struct epb_verdict *v = at;

		v->option = EPB_OPT_VERDICT;
		v->kind = EPB_VERDICT_XDP;
		for (int i = 0; i < 8; i++)
			v->value[VERDICT_BYTE(i)] = i < 4 ? f->verdict >> 8 * i : 0;
		for (int i = 0; i < 3; i++)
			v->padding[i] = 0;
		at += sizeof(*v);
	}
	if (f->has_drop) {
		write_drop(at, f);
		at += sizeof(struct epb_drop);
	}
	if (f->nic_time) {
		struct epb_nic_time *t = at;

		t->option = EPB_OPT_NIC_TIME;
		t->low = f->nic_time;
		t->high = f->nic_time >> 32;
		at += sizeof(*t);
	}
	return at;
}

static __always_inline void write_options(void *at, const struct ring_control *r,
					  const struct frame *f, __u64 drops, __u32 total)
{
	__u64 number = packet_number(r);
	struct epb_options *o = at;
	struct epb_end *end = at + sizeof(*o);

	o->flags_option = EPB_OPT_FLAGS;
	o->flags = f->flags;
	o->queue_option = EPB_OPT_QUEUE;
	o->queue = f->queue;
	o->packetid_option = EPB_OPT_PACKETID;
	o->packetid_low = number;
	o->packetid_high = EPB_PACKETID_HIGH(number, f->generation, bpf_get_smp_processor_id());
	if (drops) {
		struct epb_dropcount *d = at + sizeof(*o);

		d->option = EPB_OPT_DROPCOUNT;
		d->low = drops;
		d->high = drops >> 32;
		end = at + sizeof(*o) + sizeof(*d);
	}
	end = write_extra(end, f);
	end->end_option = 0;
	end->total_length = total;
}

/*
 * Returns how many of caplen bytes to keep, according to the frame's headers, which are copied to
 * where the frame will be. 0: none, and the frame is counted.
 */
static __always_inline __u64 reduce(void *ctx, enum hook hook, struct ring_control *r,
				    const struct frame *f, void *to, __u64 caplen)
{
	struct headers h = {};
	/* These bytes are needed even if less is kept. */
	__u64 n = IS_IN_MEMORY(hook) ? readable(ctx, hook, f) : f->length;

	AT_MOST(n, PEEK_MAX);
	if (copy_frame(ctx, hook, f, to, n)) {
		count_lost(r, f, &r->lost_copy);
		return 0;
	}
	parse_headers(to, n, &h);
	if (flow_cutoff && flow_has_ended(&h, f->length) && f->keep != RING_PULLS) {
		count_left_out(r, f, &r->cut_frames);
		r->cut_bytes += f->length;
		return 0;
	}
	return slice_depth ? slice(&h, caplen) : caplen;
}

static __always_inline __u64 record_length(const struct frame *f, __u64 caplen, __u64 drops)
{
	return sizeof(struct epb_header) + EPB_PADDED(caplen) + sizeof(struct epb_options) +
	       (drops ? sizeof(struct epb_dropcount) : 0) + extra_size(f) + sizeof(struct epb_end);
}

/* watchdog=: does nobody read the records before this one? */
static __always_inline int is_unwatched(struct ring_control *r, const struct frame *f, __u64 now)
{
	return is_watched(r, f) && !leaves_gaps() && is_unread(r, now);
}

static __always_inline void lose_full(struct ring_control *r, const struct frame *f)
{
	int unwatched = watchdog && is_unwatched(r, f, wall_clock(r));

	count_lost(r, f, unwatched ? &r->passed_watchdog : &r->lost_full);
}

#define RECORD_MORE 1024 /* no record has more bytes than this beside the frame */

/* Appends to a complete record, in place of its end, which moves. Returns the record's length. */
static __always_inline __u64 append_socket(struct ring_control *r, __u64 total, __u64 most)
{
	struct epb_header *h = ring_at(r);
	struct epb_socket *s;
	struct epb_end *end;

	most += RECORD_MORE;
	AT_MOST_OF(total, most); /* never more: for the verifier */
	s = (void *)h + total - sizeof(*end);
	end = (void *)(s + 1);
	s->option = EPB_OPT_SOCKET_RAW;
	s->how = r->socket_how;
	s->cookie_low = r->socket_cookie;
	s->cookie_high = r->socket_cookie >> 32;
	end->end_option = 0;
	end->total_length = h->total_length = total + sizeof(*s);
	return total + sizeof(*s);
}

static __always_inline __u64 append_room(const struct frame *f)
{
	return sizeof(struct epb_entries) + (knows_socket(f) ? sizeof(struct epb_socket) : 0);
}

/* As append_socket(), and after it. Not inlined, for the reason given at sets_note(). */
static __attribute__((noinline)) __u64 append_entries(struct ring_control *r, __u64 total)
{
	const struct sets_scratch *found = sets_scratch_of(r);
	__u64 most = caplen_max + RECORD_MORE;
	struct epb_header *h = ring_at(r);
	struct epb_entries *s;
	struct epb_end *end;

	AT_MOST_OF(total, most); /* never more: for the verifier */
	s = (void *)h + total - sizeof(*end);
	end = (void *)(s + 1);
	s->option = EPB_OPT_ENTRIES_RAW;
	for (__u32 i = 0; i < EPB_ENTRY_KINDS; i++) {
		s->line[0][i] = found->line[0][i];
		s->line[1][i] = found->line[1][i];
	}
	end->end_option = 0;
	end->total_length = h->total_length = total + sizeof(*s);
	return total + sizeof(*s);
}

/* Writes the frame's record. Returns its length; 0: the frame is lost, and counted. */
static __always_inline __u64 record_write(void *ctx, enum hook hook, struct ring_control *r,
					  const struct frame *f)
{
	const __u64 most = most_of(hook);
	__u64 caplen = f->length, drops = losses_unreported(r, f), wanted, padded, total, now;
	void *at;

	if (caplen > f->keep)
		caplen = f->keep;
	if (caplen > f->snaplen)
		caplen = f->snaplen;
	FORGET(caplen, r->nothing);
	wanted = caplen;
	if (IS_IN_MEMORY(hook) && caplen > readable(ctx, hook, f))
		caplen = readable(ctx, hook, f);
	if (hook == HOOK_DROP && caplen < skb_head(ctx))
		caplen = skb_head(ctx);
	if (f->cooked && caplen < cooked_head(f))
		caplen = cooked_head(f);
	CUT_TO(caplen, most, r);
	if (caplen == 0) {
		count_lost(r, f, &r->lost_copy);
		return 0;
	}
	if (f->reduced && (slice_depth || flow_cutoff)) {
		/* In the place of a record, which overwrites it, or leaves it behind in another
		 * chunk. */
		if (!ring_reserve(r, f, sizeof(struct epb_header) + PEEK_MAX)) {
			lose_full(r, f);
			return 0;
		}
		caplen = reduce(ctx, hook, r, f, ring_at(r) + sizeof(struct epb_header), caplen);
		if (!caplen)
			return 0;
		AT_MOST_OF(caplen, most); /* never more: the verifier has lost the bound */
	}
	/* Room for what may be appended is always included, so that nothing is computed if none is
	 * asked for. */
	total = record_length(f, caplen, drops) + append_room(f);
	FORGET(drops, r->nothing);
	FORGET(total, r->nothing);
	if (!ring_reserve(r, f, total)) {
		lose_full(r, f);
		return 0;
	}
	total -= append_room(f);
	at = ring_at(r);
	padded = EPB_PADDED(caplen);
	ring_fetch(r, at, total);
	now = wall_clock(r);
	if (is_unwatched(r, f, now)) {
		count_lost(r, f, &r->passed_watchdog);
		return 0;
	}
	write_header(at, f, now, caplen, total);
	at += sizeof(struct epb_header);
	*(__u32 *)(at + padded - 4) = 0; /* before the copy, which leaves the padding */
	/* Also before the copy: after it, the verifier has a path for each way to copy. */
	write_options(at + padded, r, f, drops, total);
	if (f->cooked ? copy_cooked(ctx, f, at, caplen)
		      : (f->tag || !copy_directly(ctx, hook, at, caplen)) &&
				copy_frame(ctx, hook, f, at, caplen)) {
		count_lost(r, f, &r->lost_copy);
		return 0;
	}
	r->side[side_of(f)].lost_reported += drops;
	/* Not if a slice is all that was wanted. Adds 1 if caplen is less than wanted. */
	if (caplen == most || (IS_IN_MEMORY(hook) && caplen == readable(ctx, hook, f)))
		r->truncated += (caplen - wanted) >> 63;
	return knows_socket(f) && __builtin_expect(who, 0) ? append_socket(r, total, most) : total;
}
