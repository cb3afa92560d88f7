/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "capture/afxdpcapture.h"
#include "pcapng/replace.h"

/* With its code and length. */
static size_t option_size(uint32_t option)
{
	return sizeof(option) + EPB_PADDED(option >> 16);
}

/* Where in the record it is; 0: nowhere. */
static size_t find_option(const struct epb_header *r, uint32_t wanted)
{
	const uint8_t *at = (const uint8_t *)(epb_options(r) + 1);
	const uint8_t *end = (const uint8_t *)epb_next(r) - sizeof(struct epb_end);

	while (end - at >= (ptrdiff_t)option_size(wanted)) {
		uint32_t option;

		memcpy(&option, at, sizeof(option));
		if (option == wanted)
			return (size_t)(at - (const uint8_t *)r);
		at += option_size(option);
	}
	return 0;
}

void pcapng_replace_by_comment(struct bytes *b, size_t from, uint32_t option, const char *comment)
{
	struct epb_header *r = (void *)(b->at + from);
	size_t length = strlen(comment), place = b->overflow ? 0 : find_option(r, option);
	uint32_t code = EPB_OPTION(OPT_COMMENT, length);
	size_t with = length ? option_size(code) : 0, was = option_size(option);
	uint8_t *at = b->at + from + place;
	uint8_t *end = b->at + b->used;

	if (!place)
		return;
	if (with > was && with - was > b->room - b->used) {
		b->overflow = true;
		return;
	}
	memmove(at + with, at + was, (size_t)(end - at) - was);
	if (length) {
		memset(at, 0, with);
		memcpy(at, &code, sizeof(code));
		memcpy(at + sizeof(code), comment, length);
	}
	b->used = b->used + with - was;
	r->total_length = (uint32_t)(b->used - from);
	memcpy(b->at + b->used - sizeof(uint32_t), &r->total_length, sizeof(uint32_t));
}
