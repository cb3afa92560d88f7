/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Chooses one of several streams for a packet, so that both directions of a flow go to the same
 * one. */
#pragma once

#include <stdint.h>

#include "pcapng/read.h"

#define FLOW_INTERFACES 256 /* packets of further interfaces are not told apart by flow */

/* The link types of the input's section so far. */
struct flow {
	uint16_t link[FLOW_INTERFACES];
	unsigned interfaces;
};

/* Takes a block that is not a packet. */
void flow_note(struct flow *f, const struct pcapng_block *b);
/* Returns the packet's bucket, which is less than `buckets`. It depends on addresses, protocol and
 * ports; for a fragment not on ports. 0 for what is not IP. */
unsigned flow_bucket(const struct flow *f, const struct pcapng_block *b, unsigned buckets);
