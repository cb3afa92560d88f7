/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "pcapng/packet_options.h"

static void read_one(struct packet_options *o, uint32_t code, const uint8_t *value)
{
	uint32_t halves[2];

	switch (code) {
	case EPB_OPT_VERDICT:
		o->has_verdict = true;
		memcpy(&o->verdict, value + 1, sizeof(o->verdict));
		break;
	case EPB_OPT_HASH:
		o->has_hash = true;
		o->hash_algorithm = value[0];
		for (int i = 1; i <= 4; i++)
			o->hash = o->hash << 8 | value[i];
		break;
	case EPB_OPT_DROPCOUNT:
		memcpy(&halves, value, sizeof(halves));
		o->dropped = (uint64_t)halves[1] << 32 | halves[0];
		break;
	}
}

/* The next string of a value, or NULL if it has no final 0. */
static const char *next_string(const char **at, const char *end)
{
	const char *begins = *at, *zero = memchr(begins, 0, (size_t)(end - begins));

	*at = zero ? zero + 1 : end;
	return zero ? begins : NULL;
}

static void read_drop(struct packet_options *o, const uint8_t *value, uint32_t length)
{
	struct epb_drop_named drop;
	const char *at = (const char *)value + sizeof(drop), *end = (const char *)value + length;

	if (length < sizeof(drop))
		return;
	memcpy(&drop, value, sizeof(drop));
	o->drop_ifindex = drop.ifindex;
	o->drop_netns = drop.netns;
	o->drop_reason = next_string(&at, end);
	o->drop_place = next_string(&at, end);
	o->drop_ifname = next_string(&at, end);
	o->has_drop = o->drop_ifname != NULL;
}

void packet_options_read(struct packet_options *o, const struct epb_header *r)
{
	const uint8_t *at = (const uint8_t *)(epb_options(r) + 1);
	const uint8_t *end = (const uint8_t *)epb_next(r) - sizeof(struct epb_end);

	*o = (struct packet_options){.has_verdict = false};
	while (at < end) {
		uint32_t code;

		memcpy(&code, at, sizeof(code));
		at += sizeof(code);
		if ((code & 0xffff) != EPB_OPT_DROP_CODE)
			read_one(o, code, at);
		else if (code >> 16 <= (size_t)(end - at))
			read_drop(o, at, code >> 16);
		at += EPB_PADDED(code >> 16);
	}
}

void *packet_option_find(const struct epb_header *r, const struct epb_lengths *l, uint32_t wanted)
{
	uint8_t *at = (uint8_t *)(epb_options_behind(r, l->caplen) + 1);
	const uint8_t *end = (const uint8_t *)r + l->total - sizeof(struct epb_end);
	uint32_t option;

	while (end - at >= (ptrdiff_t)(sizeof(option) + EPB_PADDED(wanted >> 16))) {
		memcpy(&option, at, sizeof(option));
		if (option == wanted)
			return at;
		at += sizeof(option) + EPB_PADDED(option >> 16);
	}
	return NULL;
}

const char *verdict_name(uint64_t verdict)
{
	static const char *const names[] = {"ABORTED", "DROP", "PASS", "TX", "REDIRECT"};

	return verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "UNKNOWN";
}
