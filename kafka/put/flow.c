/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdbool.h>
#include <string.h>

#include "kafka/put/flow.h"
#include "pcapng/packet.h"

#define LINK_SLL  113
#define LINK_SLL2 276

#define TYPE_IP	  0x0800
#define TYPE_IP6  0x86dd
#define TAGS_MOST 3

enum {
	HOP_BY_HOP = 0,
	TCP = 6,
	UDP = 17,
	ROUTING = 43,
	FRAGMENT = 44,
	DESTINATION = 60,
	SCTP = 132
};

/* What is left of a frame. */
struct rest {
	const uint8_t *at;
	uint32_t n;
};

/* One end: address and port. */
struct end {
	const uint8_t *address;
	uint32_t length;
	uint16_t port;
};

static uint16_t u16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static bool skip(struct rest *r, uint32_t n)
{
	if (r->n < n)
		return false;
	r->at += n;
	r->n -= n;
	return true;
}

void flow_note(struct flow *f, const struct pcapng_block *b)
{
	if (b->type == BLOCK_SECTION)
		f->interfaces = 0;
	if (b->type != BLOCK_INTERFACE || b->length < sizeof(uint16_t))
		return;
	if (f->interfaces < FLOW_INTERFACES)
		f->link[f->interfaces] = pcapng_u16(b->body, b->swapped);
	f->interfaces++;
}

static bool is_tag(uint16_t type)
{
	return type == 0x8100 || type == 0x88a8 || type == 0x9100;
}

/* The protocol behind an Ethernet header and its tags; 0: none. */
static uint16_t skip_ethernet(struct rest *r)
{
	uint16_t type;

	if (!skip(r, 12))
		return 0;
	for (unsigned tags = 0; r->n >= 2; tags++) {
		type = u16(r->at);
		if (!is_tag(type) || tags == TAGS_MOST)
			return skip(r, 2) ? type : 0;
		if (!skip(r, 4))
			return 0;
	}
	return 0;
}

static uint16_t skip_cooked(struct rest *r, uint32_t at, uint32_t length)
{
	uint16_t type = r->n >= length ? u16(r->at + at) : 0;

	return skip(r, length) ? type : 0;
}

static uint16_t skip_link(struct rest *r, uint16_t link)
{
	switch (link) {
	case LINKTYPE_ETHERNET:
		return skip_ethernet(r);
	case LINK_SLL:
		return skip_cooked(r, 14, 16);
	case LINK_SLL2:
		return skip_cooked(r, 0, 20);
	case LINKTYPE_RAW:
		return !r->n ? 0 : r->at[0] >> 4 == 6 ? TYPE_IP6 : TYPE_IP;
	default:
		return 0;
	}
}

/* The protocol above; negative: it is no such packet. *ports: they may follow. */
static int read_ip(struct rest *r, struct end ends[2], bool *ports)
{
	const uint8_t *p = r->at;

	if (r->n < 20 || p[0] >> 4 != 4)
		return -1;
	ends[0] = (struct end){p + 12, 4, 0};
	ends[1] = (struct end){p + 16, 4, 0};
	*ports = !(u16(p + 6) & 0x3fff) && skip(r, (p[0] & 15u) * 4);
	return p[9];
}

static int read_ip6(struct rest *r, struct end ends[2], bool *ports)
{
	const uint8_t *p = r->at;
	uint8_t next;

	if (!skip(r, 40) || p[0] >> 4 != 6)
		return -1;
	ends[0] = (struct end){p + 8, 16, 0};
	ends[1] = (struct end){p + 24, 16, 0};
	*ports = true;
	next = p[6];
	while (*ports && (next == HOP_BY_HOP || next == ROUTING || next == DESTINATION)) {
		if (r->n < 2)
			*ports = false;
		else {
			next = r->at[0];
			*ports = skip(r, (r->at[1] + 1u) * 8);
		}
	}
	if (next == FRAGMENT) {
		*ports = false;
		next = r->n ? r->at[0] : next;
	}
	return next;
}

static uint64_t mix(uint64_t h)
{
	h ^= h >> 33;
	h *= 0xff51afd7ed558ccd;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53;
	return h ^ h >> 33;
}

static uint64_t hash_end(const struct end *e)
{
	uint64_t h = e->port;

	for (uint32_t i = 0; i < e->length; i += 4) {
		uint32_t word;

		memcpy(&word, e->address + i, sizeof(word));
		h = mix(h ^ (uint64_t)word << 16);
	}
	return h;
}

unsigned flow_bucket(const struct flow *f, const struct pcapng_block *b, unsigned buckets)
{
	struct end ends[2] = {{.address = NULL}};
	struct pcapng_packet p;
	bool ports = false;
	struct rest r;
	int protocol;
	uint16_t type;

	if (buckets == 1 || !pcapng_packet_read(&p, b) || p.interface_id >= f->interfaces ||
	    p.interface_id >= FLOW_INTERFACES)
		return 0;
	r = (struct rest){p.frame, p.caplen};
	type = skip_link(&r, f->link[p.interface_id]);
	protocol = type == TYPE_IP    ? read_ip(&r, ends, &ports)
		   : type == TYPE_IP6 ? read_ip6(&r, ends, &ports)
				      : -1;
	if (protocol < 0)
		return 0;
	if (ports && r.n >= 4 && (protocol == TCP || protocol == UDP || protocol == SCTP)) {
		ends[0].port = u16(r.at);
		ends[1].port = u16(r.at + 2);
	}
	/* A sum, as the other direction has the same ends. */
	return (unsigned)(mix(hash_end(&ends[0]) + hash_end(&ends[1]) + (uint64_t)protocol) %
			  buckets);
}
