/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which of some streams a packet goes to, so that both directions of a flow go to the same one. */
#pragma once

#include <stdint.h>

#include "pcapng/read.h"

#define FLOW_INTERFACES 256 /* packets of those above go by no flow */

/* The link types of the input's section so far. */
struct flow {
	uint16_t link[FLOW_INTERFACES];
	unsigned interfaces;
};

/* A block that is no packet. */
void flow_note(struct flow *f, const struct pcapng_block *b);
/* Of a packet: less than buckets. By addresses, protocol and ports; a fragment's without ports; 0:
 * what is no IP. */
unsigned flow_bucket(const struct flow *f, const struct pcapng_block *b, unsigned buckets);
