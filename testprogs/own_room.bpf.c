// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/* own_xdp that leaves no room in front of a frame, because some drivers have none. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* Takes as much as this kernel allows: newer ones 252 bytes, less if the headroom is small. */
static __always_inline void take_room(struct xdp_md *ctx)
{
	if (bpf_xdp_adjust_meta(ctx, -252) && bpf_xdp_adjust_meta(ctx, -200))
		bpf_xdp_adjust_meta(ctx, -32);
}

#define OWN_TAKES take_room
#include "own_xdp.bpf.c"
