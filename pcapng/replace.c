/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "capture/afxdpcapture.h"
#include "pcapng/packet_options.h"
#include "pcapng/replace.h"

void pcapng_replace(struct bytes *b, size_t from, uint32_t option, const struct bytes *by)
{
	struct epb_header *r = (void *)(b->at + from);
	const struct epb_lengths l = {.total = r->total_length, .caplen = r->caplen};
	uint8_t *at = b->overflow ? NULL : packet_option_find(r, &l, option),
		*end = b->at + b->used;
	size_t was = sizeof(option) + EPB_PADDED(option >> 16);

	if (!at)
		return;
	if (by->used > was && by->used - was > b->room - b->used) {
		b->overflow = true;
		return;
	}
	memmove(at + by->used, at + was, (size_t)(end - at) - was);
	memcpy(at, by->at, by->used);
	b->used = b->used + by->used - was;
	r->total_length = (uint32_t)(b->used - from);
	memcpy(b->at + b->used - sizeof(uint32_t), &r->total_length, sizeof(uint32_t));
}
