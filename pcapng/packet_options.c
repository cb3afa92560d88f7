/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "pcapng/packet_options.h"

static uint64_t halves(const uint8_t *p)
{
	uint32_t low, high;

	memcpy(&low, p, sizeof(low));
	memcpy(&high, p + sizeof(low), sizeof(high));
	return (uint64_t)high << 32 | low;
}

static void read_one(struct packet_options *o, uint32_t code, const uint8_t *value)
{
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
		o->dropped = halves(value);
		break;
	case EPB_OPT_NIC_TIME:
		o->has_nic_time = true;
		o->nic_time = halves(value);
		break;
	}
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
		read_one(o, code, at);
		at += EPB_PADDED(code >> 16);
	}
}

const char *verdict_name(uint64_t verdict)
{
	static const char *const names[] = {"ABORTED", "DROP", "PASS", "TX", "REDIRECT"};

	return verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "UNKNOWN";
}
