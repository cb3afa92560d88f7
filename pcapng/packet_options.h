/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Options of an Enhanced Packet Block that only some records of a ring have. */
#pragma once

#include "capture/afxdpcapture.h"

struct packet_options {
	bool has_verdict, has_hash;
	uint64_t verdict; /* XDP_... */
	uint8_t hash_algorithm;
	uint32_t hash;
	uint64_t dropped; /* since the previous record on the same ring */
	/* For a frame that the host's stack dropped. The strings lie in the record; "" means not
	 * known. */
	bool has_drop;
	const char *drop_reason, *drop_place, *drop_ifname;
	uint32_t drop_ifindex, drop_netns;
};

void packet_options_read(struct packet_options *o, const struct epb_header *r);
/*
 * Find the value of an option in the record, which has the lengths l. wanted is the option's code
 * and length, made by EPB_OPTION(). Returns NULL if the record has no such option.
 */
void *packet_option_find(const struct epb_header *r, const struct epb_lengths *l, uint32_t wanted);
/* "PASS" and so on; "UNKNOWN" for a value that is none of the kernel's verdicts. */
const char *verdict_name(uint64_t verdict);
