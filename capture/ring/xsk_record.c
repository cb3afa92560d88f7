/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Makes records out of frames, in place. They are written field by field: code that composes a
 * struct first and then copies it waits for its own stores, which takes a third of the reader's
 * time.
 */
#include <arpa/inet.h>
#include <string.h>

#include "util/clock.h"
#include "xsk.h"

#define CACHE_LINE  64
#define FETCH_AHEAD 16u /* frames */

/* What lies in front of a frame, and room for a tag: headers are made there. */
#define FRONT (sizeof(struct divert_hints) + sizeof(struct divert_meta) + sizeof(uint32_t))

/* Reads the descriptor once, because the application can write to the rings. */
static inline struct xdp_desc descriptor(const struct xsk *x, uint64_t position)
{
	const struct xdp_desc *d = xsk_descriptor(x, position);

	return (struct xdp_desc){.addr = __atomic_load_n(&d->addr, __ATOMIC_RELAXED),
				 .len = __atomic_load_n(&d->len, __ATOMIC_RELAXED),
				 .options = __atomic_load_n(&d->options, __ATOMIC_RELAXED)};
}

static uint8_t *frame_of(const struct xsk *x, const struct xdp_desc *d)
{
	return xsk_umem__get_data(x->memory, d->addr);
}

static uint64_t in_buffer(const struct xsk *x, const struct xdp_desc *d)
{
	return d->addr & (x->buffer_size - 1);
}

/* Does a frame, or the first part of one, begin in one of our buffers, behind front bytes? */
static bool is_ours(const struct xsk *x, const struct xdp_desc *d, uint64_t front)
{
	return d->addr < x->receive && in_buffer(x, d) >= front;
}

/* And does it end in that buffer? */
static bool is_whole(const struct xsk *x, const struct xdp_desc *d, uint64_t front)
{
	return is_ours(x, d, front) && in_buffer(x, d) + d->len <= x->buffer_size;
}

/*
 * Copies a frame in parts into one piece, with what lies in front of it. Returns its first byte;
 * NULL: there is no such frame. If the kernel did not deliver the last parts, they are missing:
 * *length is what there is.
 */
static uint8_t *assemble(struct xsk *x, uint64_t position, struct xdp_desc d, uint32_t *length)
{
	const uint32_t front = sizeof(struct divert_hints) + sizeof(struct divert_meta);
	uint8_t *frame = x->assembly + XSK_HEADROOM;
	uint32_t n = d.len;

	if (!is_whole(x, &d, FRONT))
		return NULL;
	memcpy(frame - front, frame_of(x, &d) - front, front + n);
	for (x->taken = 1; xsk_goes_on(&d); x->taken++) {
		uint32_t more, room = XDP_SNAPLEN_MAX - n;

		if (position + x->taken >= x->peeked)
			return NULL;
		d = descriptor(x, position + x->taken);
		if (!is_whole(x, &d, 0))
			return NULL;
		more = d.len < room ? d.len : room;
		memcpy(frame + n, frame_of(x, &d), more);
		n += more;
	}
	*length = n;
	return frame;
}

/* Put the tag back behind the addresses, which move into the room in front. */
static uint8_t *put_tag_back(uint8_t *frame, uint32_t tag)
{
	uint8_t *first = frame - sizeof(tag);

	memmove(first, frame, 12);
	tag = htonl(tag);
	memcpy(first + 12, &tag, sizeof(tag));
	return first;
}

/* What the driver knows of the frame, in the same order as in the capture program's records. */
static void *write_hints(void *at, const struct divert_hints *t)
{
	if (t->hash_algorithm) {
		struct epb_hash *h = at;
		uint32_t value = htonl(t->hash);

		*h = (struct epb_hash){.option = EPB_OPT_HASH,
				       .algorithm = (uint8_t)(t->hash_algorithm - 1)};
		memcpy(h->value, &value, sizeof(value));
		at = h + 1;
	}
	if (t->nic_time_low || t->nic_time_high) {
		struct epb_nic_time *n = at;

		*n = (struct epb_nic_time){EPB_OPT_NIC_TIME, t->nic_time_low, t->nic_time_high};
		at = n + 1;
	}
	return at;
}

static void *write_drops(void *at, struct xsk *x)
{
	struct epb_dropcount *d = at;
	uint64_t drops = x->lost - x->lost_reported;

	*d = (struct epb_dropcount){EPB_OPT_DROPCOUNT, (uint32_t)drops, (uint32_t)(drops >> 32)};
	x->lost_reported = x->lost;
	return d + 1;
}

/* Returns the end of the record, whose length the caller fills in. */
static struct epb_end *write_options(void *at, struct xsk *x, const struct divert_meta *m,
				     const struct divert_hints *hints)
{
	struct epb_options *o = at;
	struct epb_end *end;

	o->flags_option = EPB_OPT_FLAGS;
	o->flags = EPB_FLAG_INBOUND;
	o->queue_option = EPB_OPT_QUEUE;
	o->queue = x->queue;
	o->packetid_option = EPB_OPT_PACKETID;
	o->packetid_low = m->packetid_low;
	o->packetid_high = m->packetid_high;
	at = o + 1;
	if (x->lost != x->lost_reported)
		at = write_drops(at, x);
	if (x->asks_driver)
		at = write_hints(at, hints);
	end = at;
	end->end_option = 0;
	return end;
}

/* Make the record around frame, which has length bytes; there is room for it. */
static struct epb_header *write_record(struct xsk *x, uint8_t *frame, uint32_t length,
				       const struct divert_meta *m,
				       const struct divert_hints *hints)
{
	struct epb_header *h = (void *)(frame - sizeof(*h));
	uint32_t caplen = m->keep < x->snaplen ? m->keep : x->snaplen;
	struct epb_end *end;

	if (caplen > length)
		caplen = length;
	for (uint32_t i = caplen; i % 4; i++)
		frame[i] = 0;
	end = write_options(frame + EPB_PADDED(caplen), x, m, hints);
	x->length = (uint32_t)((uint8_t *)(end + 1) - (uint8_t *)h);
	end->total_length = x->length;
	h->type = EPB_TYPE;
	h->total_length = x->length;
	h->interface_id = x->interface_id;
	h->time_high = m->time_high;
	h->time_low = m->time_low;
	h->caplen = caplen;
	h->len = m->length + (m->tag ? (uint32_t)sizeof(m->tag) : 0);
	return h;
}

/* Do options and end fit behind the frame in its buffer? */
static bool has_room(const struct xsk *x, const struct xdp_desc *d)
{
	return in_buffer(x, d) + (uint64_t)d->len + 3 + XSK_TRAILER_MAX <= x->buffer_size;
}

/*
 * The kernel's CPU has just written what is in front of a frame and its first bytes, and the reader
 * will write behind it: fetch these lines while it works on frames before that.
 */
static void fetch_ahead(const struct xsk *x, uint64_t position)
{
	const uint8_t *frame;

	if (position + FETCH_AHEAD >= x->peeked)
		return;
	frame = frame_of(x, xsk_descriptor(x, position + FETCH_AHEAD));
	__builtin_prefetch(frame - sizeof(struct divert_meta), 1);
	__builtin_prefetch(frame - sizeof(struct divert_meta) + CACHE_LINE, 1);
	if (x->zero_copy)
		__builtin_prefetch(frame + CACHE_LINE, 1);
}

/*
 * Fills in what a program of ours would have written: the time is that of reading, and the number
 * is counted here.
 */
static void describe(const struct xsk *x, struct divert_meta *m, uint32_t length)
{
	uint64_t now = clock_wall(), number = x->received + 1;

	*m = (struct divert_meta){.time_high = (uint32_t)(now >> 32),
				  .time_low = (uint32_t)now,
				  .packetid_low = (uint32_t)number,
				  .packetid_high = EPB_PACKETID_HIGH(number, 0, x->queue),
				  .length = length,
				  .keep = UINT32_MAX};
}

const struct epb_header *xsk_find(struct xsk *x, uint64_t position)
{
	struct divert_hints hints;
	struct divert_meta m;
	struct xdp_desc d;
	uint32_t length;
	uint8_t *frame;

	if (x->taken && x->at == position)
		return x->record;
	d = descriptor(x, position);
	length = d.len;
	fetch_ahead(x, position);
	x->at = position;
	x->taken = 1;
	if (!xsk_goes_on(&d) && has_room(x, &d) && is_ours(x, &d, FRONT))
		frame = frame_of(x, &d);
	else
		frame = assemble(x, position, d, &length);
	if (!frame) {
		x->taken = 0;
		x->corrupted = true;
		return NULL;
	}
	/* Copies, because the header overwrites these. */
	if (x->foreign)
		describe(x, &m, length);
	else
		memcpy(&m, frame - sizeof(m), sizeof(m));
	if (x->asks_driver)
		memcpy(&hints, frame - sizeof(m) - sizeof(hints), sizeof(hints));
	if (length != m.length)
		x->torn++;
	if (length > m.length) /* what follows is another frame */
		length = d.len;
	__atomic_store_n(&x->received, x->received + 1, __ATOMIC_RELAXED); /* others count */
	if (m.tag) {
		frame = put_tag_back(frame, m.tag);
		length += sizeof(m.tag);
	}
	x->record = write_record(x, frame, length, &m, &hints);
	return x->record;
}
