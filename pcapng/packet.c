/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "pcapng/packet.h"

#define NS_PER_S	1000000000u
#define TSRESOL_US	6 /* the default where the block has no if_tsresol */
#define BINARY		0x80
#define INTERFACE_FIXED 8 /* bytes of an interface block in front of its options */

#define ENHANCED_FIXED 20
#define SIMPLE_FIXED   4

void pcapng_clock_read(struct pcapng_clock *c, const struct pcapng_block *b)
{
	struct pcapng_options options = pcapng_options(b, INTERFACE_FIXED);
	struct pcapng_option o;

	*c = (struct pcapng_clock){.resolution = TSRESOL_US};
	while (pcapng_next_option(&options, &o)) {
		if (o.code == IF_TSRESOL && o.length == 1)
			c->resolution = o.value[0];
		else if (o.code == IF_TSOFFSET && o.length == 8)
			c->offset = (int64_t)pcapng_u64(o.value, b->swapped);
	}
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Convert from units of 10 to the minus n seconds. */
static uint64_t decimal_ns(uint64_t stamp, unsigned n)
{
	for (; n < TSRESOL_NS; n++)
		stamp = times(stamp, 10);
	for (; n > TSRESOL_NS && stamp; n--)
		stamp /= 10;
	return stamp;
}

/* Convert from units of 2 to the minus n seconds. Keeps 34 bits of the fraction: one of them is
 * less than a tenth of a ns.
 */
static uint64_t binary_ns(uint64_t stamp, unsigned n)
{
	uint64_t seconds = n < 64 ? stamp >> n : 0;
	uint64_t fraction = n < 64 ? stamp & (((uint64_t)1 << n) - 1) : stamp;

	if (n > 34) {
		fraction = n - 34 < 64 ? fraction >> (n - 34) : 0;
		n = 34;
	}
	seconds = times(seconds, NS_PER_S);
	fraction = fraction * NS_PER_S >> n;
	return seconds > UINT64_MAX - fraction ? UINT64_MAX : seconds + fraction;
}

uint64_t pcapng_clock_ns(const struct pcapng_clock *c, uint64_t stamp)
{
	unsigned n = c->resolution & ~BINARY & 0xff;
	uint64_t ns = c->resolution & BINARY ? binary_ns(stamp, n) : decimal_ns(stamp, n);
	uint64_t offset;

	if (c->offset >= 0) {
		offset = times((uint64_t)c->offset, NS_PER_S);
		return ns > UINT64_MAX - offset ? UINT64_MAX : ns + offset;
	}
	offset = times(-(uint64_t)c->offset, NS_PER_S);
	return ns < offset ? 0 : ns - offset;
}

uint64_t pcapng_clock_stamp(const struct pcapng_clock *c, uint64_t ns)
{
	uint64_t stamp = 0;

	for (uint64_t bit = 1ULL << 63; bit; bit >>= 1)
		if (pcapng_clock_ns(c, stamp | bit) <= ns)
			stamp |= bit;
	return stamp;
}

bool pcapng_is_packet(uint32_t type)
{
	return type == BLOCK_ENHANCED_PACKET || type == BLOCK_SIMPLE_PACKET || type == BLOCK_PACKET;
}

static uint32_t number(const struct pcapng_block *b, uint32_t from)
{
	return pcapng_u32(b->body + from, b->swapped);
}

/* A simple packet does not say how much of it was captured: all that is in the block, at most len.
 */
static bool read_simple(struct pcapng_packet *p, const struct pcapng_block *b)
{
	if (b->length < SIMPLE_FIXED)
		return false;
	p->len = number(b, 0);
	p->caplen = b->length - SIMPLE_FIXED < p->len ? b->length - SIMPLE_FIXED : p->len;
	p->frame = b->body + SIMPLE_FIXED;
	p->options_from = b->length;
	return true;
}

bool pcapng_packet_read(struct pcapng_packet *p, const struct pcapng_block *b)
{
	*p = (struct pcapng_packet){.interface_id = 0};
	if (b->type == BLOCK_SIMPLE_PACKET)
		return read_simple(p, b);
	if (!pcapng_is_packet(b->type) || b->length < ENHANCED_FIXED)
		return false;
	p->interface_id = b->type == BLOCK_PACKET ? pcapng_u16(b->body, b->swapped) : number(b, 0);
	p->has_time = true;
	p->stamp = (uint64_t)number(b, 4) << 32 | number(b, 8);
	p->caplen = number(b, 12);
	p->len = number(b, 16);
	p->frame = b->body + ENHANCED_FIXED;
	if (p->caplen > b->length - ENHANCED_FIXED)
		return false;
	p->options_from = ENHANCED_FIXED + ((p->caplen + 3) & ~3u);
	return true;
}

uint64_t pcapng_packet_dropcount(const struct pcapng_block *b, const struct pcapng_packet *p)
{
	struct pcapng_options options = pcapng_options(b, p->options_from);
	struct pcapng_option o;
	uint16_t drops;

	if (b->type == BLOCK_PACKET) {
		drops = pcapng_u16(b->body + 2, b->swapped);
		return drops == UINT16_MAX ? 0 : drops;
	}
	while (b->type == BLOCK_ENHANCED_PACKET && pcapng_next_option(&options, &o))
		if (o.code == EPB_DROPCOUNT && o.length == sizeof(uint64_t))
			return pcapng_u64(o.value, b->swapped);
	return 0;
}
