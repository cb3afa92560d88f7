/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Frames of the protocols that expressions ask for, and frames bent to a program's branches. */
#include <string.h>

#include "support.h"

static void put(struct frame *frame, uint64_t value, unsigned size)
{
	for (unsigned i = size; i-- > 0;)
		frame->data[frame->len++] = (uint8_t)(value >> (8 * i));
}

static void put_noise(struct frame *frame, struct rng *r, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		frame->data[frame->len++] = (uint8_t)rng_next(r);
}

static uint32_t pick(struct rng *r, const uint32_t *from, unsigned n)
{
	return from[rng_below(r, n)];
}

#define PICK(r, ...) pick(r, (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

/* Addresses and ports that the random expressions use as well. */
static uint32_t address(struct rng *r)
{
	return 0x0a000000 | rng_below(r, 4) << 8 | rng_below(r, 8);
}

static uint32_t port(struct rng *r)
{
	return PICK(r, 53, 80, 443, 22, 67, 6081, 4789, 1024, 65535, 20, 21);
}

static void put_transport(struct frame *frame, struct rng *r, uint32_t protocol)
{
	put(frame, port(r), 2);
	put(frame, port(r), 2);
	if (protocol == 6) {
		put_noise(frame, r, 8);
		put(frame, (5 + rng_below(r, 3)) << 4, 1);
		put(frame, rng_below(r, 64), 1);
		put_noise(frame, r, 6);
	} else if (protocol == 17) {
		put_noise(frame, r, 4);
		put(frame, PICK(r, 0, 0x0800, 0x01000000), 4); /* Geneve's and VXLAN's head */
		put(frame, PICK(r, 0x6558, 0x0800) << 16 | 0x100, 4);
	}
	put_noise(frame, r, rng_below(r, 40));
}

/*
 * Authentication headers, as they are; but libpcap takes each one's length for the place of the
 * next, so that it may come to any of them, and round and round.
 */
static void put_authentication(struct frame *frame, struct rng *r)
{
	for (unsigned i = 2 + rng_below(r, 12); i > 0; i--) {
		put(frame, PICK(r, 51, 51, 51, 6, 17, 59), 1);
		put(frame, rng_below(r, 10), 1);
		put_noise(frame, r, 2);
	}
}

/* More of them than a filter may follow in the kernel. */
static void put_extensions(struct frame *frame, struct rng *r, uint32_t last)
{
	for (unsigned i = rng_below(r, 2 * FILTER_TURNS); i > 0; i--) {
		uint32_t size = rng_below(r, 4) ? 0 : rng_below(r, 3);

		put(frame, i > 1 ? PICK(r, 60, 60, 43, 44, 0, 51) : last, 1);
		put(frame, size, 1);
		put_noise(frame, r, 6 + 8 * size);
	}
}

static void put_ip4(struct frame *frame, struct rng *r)
{
	uint32_t options = rng_chance(r, 20) ? rng_below(r, 11) : 0;
	uint32_t protocol = PICK(r, 6, 17, 1, 132, 47, 2, 51, 4, 41);

	put(frame, 0x45 + options, 1);
	put(frame, rng_below(r, 256), 1);
	put(frame, rng_below(r, 1500), 2);
	put_noise(frame, r, 2);
	put(frame, rng_chance(r, 15) ? rng_below(r, 65536) : 0x4000, 2);
	put(frame, PICK(r, 64, 1, 255), 1);
	put(frame, protocol, 1);
	put_noise(frame, r, 2);
	put(frame, address(r), 4);
	put(frame, address(r), 4);
	put_noise(frame, r, 4 * options);
	if (protocol == 51)
		put_authentication(frame, r);
	put_transport(frame, r, protocol);
}

static void put_ip6(struct frame *frame, struct rng *r)
{
	uint32_t protocol = PICK(r, 6, 17, 58, 44, 132, 0, 60);

	put(frame, 0x60000000, 4);
	put_noise(frame, r, 2);
	put(frame, protocol, 1);
	put(frame, 64, 1);
	for (int i = 0; i < 2; i++) {
		put(frame, PICK(r, 0x20010db8, 0xfe800000, 0, 0xff020000), 4);
		put(frame, 0, 8);
		put(frame, rng_below(r, 4), 4);
	}
	if (protocol == 0 || protocol == 60)
		put_extensions(frame, r, PICK(r, 6, 17, 58));
	put_transport(frame, r, protocol == 44 ? 17 : protocol);
}

static void put_arp(struct frame *frame, struct rng *r)
{
	put(frame, 0x000108000604, 6);
	put(frame, 1 + rng_below(r, 2), 2);
	put(frame, 0x020000000000 | rng_below(r, 8), 6);
	put(frame, address(r), 4);
	put(frame, rng_below(r, 8), 6);
	put(frame, address(r), 4);
	put_noise(frame, r, rng_below(r, 20));
}

static void put_payload(struct frame *frame, struct rng *r, unsigned depth)
{
	switch (depth ? rng_below(r, 12) : rng_below(r, 4)) {
	case 0:
	case 1:
		put(frame, 0x0800, 2);
		put_ip4(frame, r);
		break;
	case 2:
		put(frame, 0x86dd, 2);
		put_ip6(frame, r);
		break;
	case 3:
		put(frame, PICK(r, 0x0806, 0x8035), 2);
		put_arp(frame, r);
		break;
	case 4:
	case 5:
	case 6:
		put(frame, PICK(r, 0x8100, 0x88a8, 0x9100), 2);
		put(frame, PICK(r, 1, 2, 100, 0x2064, 0xffff), 2);
		put_payload(frame, r, depth - 1);
		break;
	case 7:
		put(frame, PICK(r, 0x8847, 0x8848), 2);
		put(frame, 1000u << 12 | rng_below(r, 2) << 8 | 64, 4);
		put(frame, 1001u << 12 | 1 << 8 | 64, 4);
		put_ip4(frame, r);
		break;
	case 8:
		put(frame, PICK(r, 0x8863, 0x8864), 2);
		put(frame, 0x1100, 2);
		put(frame, rng_below(r, 4), 2);
		put_noise(frame, r, 2);
		put(frame, PICK(r, 0x0021, 0x0057), 2);
		put_ip4(frame, r);
		break;
	case 9:
		put(frame, rng_below(r, 1501), 2); /* 802.3 */
		put(frame, PICK(r, 0xaaaa03, 0x424203, 0xfefe03, 0xe0e003, 0xffff00), 3);
		put_noise(frame, r, 30 + rng_below(r, 40));
		break;
	default:
		put(frame, rng_below(r, 65536), 2);
		put_noise(frame, r, rng_below(r, 120));
	}
}

void frame_random(struct frame *frame, struct rng *r)
{
	frame->len = 0;
	if (rng_chance(r, 8)) {
		put_noise(frame, r, 14 + rng_below(r, 120));
		return;
	}
	for (int i = 0; i < 2; i++) {
		if (rng_chance(r, 25))
			put(frame, PICK(r, 0xffffffff, 0x01005e00, 0x0180c200, 0x33330000), 4);
		else
			put(frame, 0x02000000, 4);
		put(frame, rng_below(r, 4), 2);
	}
	put_payload(frame, r, 3);
}

/* Where the accumulator came from, as long as that can be said simply. */
struct source {
	bool known;
	uint64_t at;
	unsigned size;
	uint32_t mask;
};

static uint32_t get(const struct frame *frame, uint64_t at, unsigned size)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value = value << 8 | (at + i < frame->len ? frame->data[at + i] : 0);
	return value;
}

static void change(struct frame *frame, const struct source *source, uint32_t value)
{
	uint32_t old = get(frame, source->at, source->size);

	value = (old & ~source->mask) | (value & source->mask);
	for (unsigned i = 0; i < source->size; i++)
		if (source->at + i < frame->len)
			frame->data[source->at + i] =
				(uint8_t)(value >> (8 * (source->size - 1 - i)));
}

/* A value that makes the comparison come out true, false, or nearly so. */
static uint32_t aim_for(const struct sock_filter *q, struct rng *r)
{
	switch (rng_below(r, 6)) {
	case 0:
		return q->k + 1;
	case 1:
		return q->k - 1;
	case 2:
		return (uint32_t)rng_next(r);
	case 3:
		return ~q->k;
	default:
		return q->k;
	}
}

static void load_source(struct source *source, const struct sock_filter *q, uint32_t x)
{
	unsigned size = BPF_SIZE(q->code) == BPF_W ? 4 : BPF_SIZE(q->code) == BPF_H ? 2 : 1;
	bool indexed = BPF_MODE(q->code) == BPF_IND;

	source->known = BPF_MODE(q->code) == BPF_ABS || indexed;
	source->at = (uint64_t)q->k + (indexed ? x : 0);
	source->size = size;
	source->mask = UINT32_MAX;
}

static bool holds(const struct sock_filter *q, uint32_t a)
{
	switch (BPF_OP(q->code)) {
	case BPF_JEQ:
		return a == q->k;
	case BPF_JGT:
		return a > q->k;
	case BPF_JGE:
		return a >= q->k;
	default:
		return a & q->k;
	}
}

/* Follows only what expressions are made of; the rest of a program goes where it goes. */
void frame_steer(struct frame *frame, const struct sock_filter *f, unsigned n, struct rng *r)
{
	struct source source = {0};
	uint32_t a = 0, x = 0, reach = 14;
	unsigned steps = 0;

	for (unsigned i = 0; i < n && BPF_CLASS(f[i].code) != BPF_RET; i++) {
		const struct sock_filter *q = &f[i];

		if (steps++ > n) /* it turns back again and again */
			break;
		if (q->code == (BPF_JMP | BPF_JA)) {
			i += q->k;
		} else if (BPF_CLASS(q->code) == BPF_JMP) {
			if (source.known && rng_chance(r, 50)) {
				change(frame, &source, aim_for(q, r));
				a = get(frame, source.at, source.size) & source.mask;
			}
			i += holds(q, a) ? q->jt : q->jf;
		} else if (BPF_CLASS(q->code) == BPF_LD) {
			load_source(&source, q, x);
			a = source.known ? get(frame, source.at, source.size) : q->k;
			if (source.known && source.at + source.size > reach &&
			    source.at + source.size < 2048)
				reach = (uint32_t)source.at + source.size;
		} else if (q->code == (BPF_LDX | BPF_B | BPF_MSH)) {
			x = (get(frame, q->k, 1) & 0xf) * 4;
		} else if (q->code == (BPF_ALU | BPF_AND | BPF_K)) {
			source.mask = q->k;
			a &= q->k;
		} else {
			source.known = false;
		}
	}
	if (rng_chance(r, 50)) /* the last byte that was asked for is the last, or just missing */
		frame->len = reach - rng_below(r, 4);
	else if (rng_chance(r, 30) && frame->len > 17)
		frame->len -= rng_below(r, 4);
	if (frame->len < 14)
		frame->len = 14; /* as Ethernet, and the kernel's test run, demand */
}

void frame_insert_tag(struct frame *to, const struct frame *from, uint16_t tpid, uint16_t tci)
{
	to->len = 0;
	memcpy(to->data, from->data, 12);
	to->len = 12;
	put(to, tpid, 2);
	put(to, tci, 2);
	memcpy(to->data + 16, from->data + 12, from->len - 12);
	to->len = from->len + 4;
}

bool frame_extract_tag(struct frame *to, const struct frame *from, uint16_t *tpid, uint16_t *tci)
{
	if (from->len < 18)
		return false;
	*tpid = (uint16_t)get(from, 12, 2);
	*tci = (uint16_t)get(from, 14, 2);
	memcpy(to->data, from->data, 12);
	memcpy(to->data + 12, from->data + 16, from->len - 16);
	to->len = from->len - 4;
	return true;
}
