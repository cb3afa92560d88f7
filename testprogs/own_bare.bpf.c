// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/* An XDP program without a place for a capture. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "Dual BSD/GPL";

SEC("xdp.frags")
int own_bare(struct xdp_md *ctx)
{
	return ctx->data == ctx->data_end ? XDP_DROP : XDP_PASS;
}
