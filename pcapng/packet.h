/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Packets in blocks of any program's, and the clock of the interface that they came from. */
#pragma once

#include "pcapng/read.h"

/* What an interface block says of time stamps. */
struct pcapng_clock {
	uint8_t resolution; /* if_tsresol */
	int64_t offset;	    /* if_tsoffset: seconds to be added */
};

struct pcapng_packet {
	uint32_t interface_id;
	bool has_time;	/* a simple packet has none */
	uint64_t stamp; /* in units of its interface's clock */
	uint32_t caplen, len;
	const uint8_t *frame;
	uint32_t options_from; /* into the body, for pcapng_options() */
};

/* Of an interface block. What is missing, or has a wrong length, has the format's default. */
void pcapng_clock_read(struct pcapng_clock *c, const struct pcapng_block *b);
/* ns since 1970; what does not fit is the nearest that does. */
uint64_t pcapng_clock_ns(const struct pcapng_clock *c, uint64_t stamp);

/* The last stamp that is not later. */
uint64_t pcapng_clock_stamp(const struct pcapng_clock *c, uint64_t ns);

/* A block of one of these types that its lengths permit: true. */
bool pcapng_is_packet(uint32_t type);
bool pcapng_packet_read(struct pcapng_packet *p, const struct pcapng_block *b);
/* How many it says are missing in front of it. */
uint64_t pcapng_packet_dropcount(const struct pcapng_block *b, const struct pcapng_packet *p);
