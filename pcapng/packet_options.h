/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Options of an Enhanced Packet Block that not every record of a ring has. */
#pragma once

#include "capture/afxdpcapture.h"

struct packet_options {
	bool has_verdict, has_hash;
	uint64_t verdict; /* XDP_... */
	uint8_t hash_algorithm;
	uint32_t hash;
	uint64_t dropped; /* before it, since the record before on the same ring */
	/* Of a frame that the host's stack dropped: strings in the record, "" for what is not
	 * known. */
	bool has_drop;
	const char *drop_reason, *drop_place, *drop_ifname;
	uint32_t drop_ifindex, drop_netns;
};

void packet_options_read(struct packet_options *o, const struct epb_header *r);
/*
 * Where in the record, which has these lengths, an option with this code and length is:
 * EPB_OPTION(). NULL: nowhere.
 */
void *packet_option_find(const struct epb_header *r, const struct epb_lengths *l, uint32_t wanted);
/* "PASS"; of a value that the kernel does not know "UNKNOWN". */
const char *verdict_name(uint64_t verdict);
