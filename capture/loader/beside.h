/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Who comes to tc while a capture runs there: programs before ours at ingress, which can take
 * frames away from it, and programs and filters behind ours at egress, which change what it has
 * recorded.
 */
#pragma once

#include <linux/types.h>

#include "bpf/layout.h"
#include "capture/loader/loader_protocol.h"

#define BESIDE_PROGRAMS_MAX 64 /* the kernel's own limit */

/* One side, as of the last look. */
struct beside_side {
	uint32_t ids[BESIDE_PROGRAMS_MAX], count;
	uint32_t others; /* how many of them are before ours at ingress, or behind ours at egress */
	bool seen;
};

struct loader_beside {
	struct beside *told; /* mapped, for the reader; NULL: do not look */
	unsigned ifindex;
	int filters; /* a socket on which the kernel tells of filters; -1: none */
	struct beside_side side[SIDES];
};

/* Map and open what is needed, while that is still allowed; what is not available is not
 * reported. */
void beside_prepare(struct loader_beside *b, const struct loader_proof *p);
/* Call it once a second, and when the capture begins: look at the sides of these links. */
void beside_look(struct loader_beside *b, const int links[IMAGES_MAX]);
/* Call it when the socket is readable. */
void beside_hear(struct loader_beside *b);
