/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <byteswap.h>
#include <string.h>

#include "pcapng/read.h"

/* A section header tells its own byte order. */
static const char *take_byte_order(struct pcapng_reader *r)
{
	uint32_t magic = pcapng_u32(r->at + 8, false);

	r->swapped = magic == bswap_32(BYTE_ORDER_MAGIC);
	return r->swapped || magic == BYTE_ORDER_MAGIC ? NULL : "its byte order is unknown";
}

/* Accept 1.0, and 1.2, which some programs wrote for the same format. libpcap and Wireshark do,
 * too. */
static const char *check_version(const struct pcapng_reader *r)
{
	uint16_t minor;

	if (r->end - r->at < 16)
		return NULL;
	minor = pcapng_u16(r->at + 14, r->swapped);
	return pcapng_u16(r->at + 12, r->swapped) == 1 && (minor == 0 || minor == 2)
		       ? NULL
		       : "its version is unknown";
}

static const char *check_lengths(const struct pcapng_reader *r, uint32_t length)
{
	if (length < BLOCK_LENGTH_MIN || length % 4)
		return "its length is impossible";
	if (length <= (size_t)(r->end - r->at) &&
	    pcapng_u32(r->at + length - 4, r->swapped) != length)
		return "its two lengths differ";
	return NULL;
}

bool pcapng_next(struct pcapng_reader *r, struct pcapng_block *b)
{
	size_t left = (size_t)(r->end - r->at);
	uint32_t length;

	if (left < BLOCK_LENGTH_MIN || r->fault)
		return false;
	b->type = pcapng_u32(r->at, r->swapped);
	if (b->type == BLOCK_SECTION)
		r->fault = take_byte_order(r);
	length = pcapng_u32(r->at + 4, r->swapped);
	if (!r->fault)
		r->fault = check_lengths(r, length);
	if (!r->fault && b->type == BLOCK_SECTION)
		r->fault = check_version(r);
	if (r->fault || length > left)
		return false;
	b->body = r->at + 8;
	b->length = length - BLOCK_LENGTH_MIN;
	b->swapped = r->swapped;
	r->at += length;
	return true;
}

size_t pcapng_whole_blocks(const uint8_t *p, size_t length, uint64_t *packets)
{
	uint32_t head[2], last; /* type, length; length */
	size_t whole = 0;

	while (length - whole >= sizeof(head)) {
		memcpy(head, p + whole, sizeof(head));
		if (head[1] < BLOCK_LENGTH_MIN || head[1] > length - whole)
			break;
		memcpy(&last, p + whole + head[1] - sizeof(last), sizeof(last));
		if (last != head[1])
			break;
		*packets += head[0] == BLOCK_ENHANCED_PACKET;
		whole += head[1];
	}
	return whole;
}
