/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "pcap_stream.h"

/* Where an interface block has its numbers. */
enum { LINK = 0, SNAPLEN = 4, INTERFACE_FIXED = 8 };

static bool read_block(struct pcapng_block *b, const uint8_t *block, size_t n)
{
	struct pcapng_reader r = {.at = block, .end = block + n};

	return pcapng_next(&r, b);
}

struct savefile_header pcap_stream_header(const uint8_t *block, size_t n)
{
	struct pcapng_block b;

	if (!read_block(&b, block, n) || b.length < INTERFACE_FIXED)
		return savefile_header(0, 0);
	return savefile_header(pcapng_u32(b.body + SNAPLEN, false),
			       pcapng_u16(b.body + LINK, false));
}

bool pcap_stream_packet(struct pcapng_packet *p, const uint8_t *block, size_t n)
{
	struct pcapng_block b;

	return read_block(&b, block, n) && pcapng_packet_read(p, &b);
}

size_t pcap_stream_length(const uint8_t *record)
{
	struct savefile_record r;

	memcpy(&r, record, sizeof(r));
	return sizeof(r) + r.caplen;
}
