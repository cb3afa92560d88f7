/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the input says is missing from it: the drops of a packet's epb_dropcount, and the counters
 * of Interface Statistics Blocks, which grow from block to block. One of these with isb_osdrop
 * alone is of a writer that did not get rid of packets to us. What all others add to the drops that
 * packets have told was lost in front of it, as the sum over all interfaces.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pcapng/read.h"

struct losses_interface;

struct losses {
	struct losses_interface *of; /* the interfaces of the input's section so far */
	size_t count, room;
	uint64_t told, osdrop; /* of these: missing by whatever said so; by closing statistics */
	uint64_t before;       /* dropped, as runs before have told: closing statistics have it */
};

/* Packets that are missing. */
struct missing {
	uint64_t dropped, behind;
};

/* Every block, in its order: what it says beyond those in front of it. 0 or -ENOMEM. */
int losses_note(struct losses *l, const struct pcapng_block *b, struct missing *m);
void losses_free(struct losses *l);
