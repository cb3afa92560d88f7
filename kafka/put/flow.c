/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "kafka/put/flow.h"
#include "pcapng/packet.h"
#include "pcapng/packet_ends.h"

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

static uint64_t mix(uint64_t h)
{
	h ^= h >> 33;
	h *= 0xff51afd7ed558ccd;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53;
	return h ^ h >> 33;
}

/* Hash of one end: its address, and its port if that is known. */
static uint64_t hash_end(const uint8_t *address, uint32_t length, uint16_t port)
{
	uint64_t h = port;

	for (uint32_t i = 0; i < length; i += 4) {
		uint32_t word;

		memcpy(&word, address + i, sizeof(word));
		h = mix(h ^ (uint64_t)word << 16);
	}
	return h;
}

unsigned flow_bucket(const struct flow *f, const struct pcapng_block *b, unsigned buckets)
{
	struct packet_ends e;
	struct pcapng_packet p;
	uint32_t length;
	bool ports;

	if (buckets == 1 || !pcapng_packet_read(&p, b) || p.interface_id >= f->interfaces ||
	    p.interface_id >= FLOW_INTERFACES)
		return 0;
	packet_ends(&e, f->link[p.interface_id], p.frame, p.caplen, p.caplen);
	if (!e.family)
		return 0;
	ports = e.has_ports && !e.is_fragment;
	length = e.family == AF_INET ? 4 : 16;
	/* A sum, because the other direction has the same ends swapped. */
	return (unsigned)(mix(hash_end(e.from, length, ports ? e.from_port : 0) +
			      hash_end(e.to, length, ports ? e.to_port : 0) + e.protocol) %
			  buckets);
}
