/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads packets in blocks that any program wrote, and the clocks of their interfaces. */
#pragma once

#include "pcapng/read.h"

/* What an interface block says about its time stamps. */
struct pcapng_clock {
	uint8_t resolution; /* if_tsresol */
	int64_t offset;	    /* if_tsoffset: seconds to add */
};

struct pcapng_packet {
	uint32_t interface_id;
	bool has_time;	/* a simple packet has none */
	uint64_t stamp; /* in units of its interface's clock */
	uint32_t caplen, len;
	const uint8_t *frame;
	uint32_t options_from; /* offset in the body, for pcapng_options() */
};

/* Read the clock from an interface block. An option that is missing or has a wrong length gets the
 * format's default. */
void pcapng_clock_read(struct pcapng_clock *c, const struct pcapng_block *b);
/* Returns ns since 1970, clamped to 0 and UINT64_MAX. */
uint64_t pcapng_clock_ns(const struct pcapng_clock *c, uint64_t stamp);

/* Returns the last stamp that is not later than ns; 0 if there is none. */
uint64_t pcapng_clock_stamp(const struct pcapng_clock *c, uint64_t ns);

/* Is this the type of a packet block? */
bool pcapng_is_packet(uint32_t type);
/* Returns false if the block is not a packet block, or if its lengths are impossible. */
bool pcapng_packet_read(struct pcapng_packet *p, const struct pcapng_block *b);
/* Returns how many packets the block says were dropped before this one. */
uint64_t pcapng_packet_dropcount(const struct pcapng_block *b, const struct pcapng_packet *p);
