/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the input says is missing from it: the drops in a packet's epb_dropcount, and the counters
 * of Interface Statistics Blocks, which grow from block to block. A statistics block with only
 * isb_osdrop comes from a writer that could not hand packets to us. If all others count more than
 * the packets have told, the difference was lost before that block. The sums over all interfaces
 * are compared.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pcapng/read.h"

struct losses_interface;

struct losses {
	struct losses_interface *of; /* the interfaces of the input's current section */
	size_t count, room;
	uint64_t told, osdrop; /* missing by any block; by blocks with isb_osdrop and more */
	uint64_t before;       /* drops that earlier runs told; the last blocks count them again */
};

/* Numbers of missing packets: dropped by the host; lost because we were too slow. */
struct missing {
	uint64_t dropped, behind;
};

/* Call this for each block, in order. *m: what the block says is missing beyond what earlier blocks
 * said. Returns 0 or -ENOMEM. */
int losses_note(struct losses *l, const struct pcapng_block *b, struct missing *m);
void losses_free(struct losses *l);
