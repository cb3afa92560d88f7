// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/*
 * Somebody's XDP program: it returns N for what is for UDP port 7000 + N, after a change to the
 * frame, and passes the rest.
 */
#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define PORT 7000
#define UDP  17

/* IPv4 without options. A global function, so that it can be captured on too. */
__attribute__((noinline)) int verdict_of(struct xdp_md *ctx)
{
	__u8 *p = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u32 port;

	if (p + 42 > end || p[12] != 8 || p[13] != 0 || p[23] != UDP)
		return XDP_PASS;
	port = (__u32)p[36] << 8 | p[37];
	return port >= PORT && port <= PORT + XDP_REDIRECT ? (int)port - PORT : XDP_PASS;
}

SEC("xdp.frags")
int xdp_verdicts_of_a_long_name(struct xdp_md *ctx)
{
	int verdict = verdict_of(ctx);
	__u8 *p = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;

	if (verdict == XDP_DROP && p + 14 <= end)
		p[6] = 0xee;
	return verdict;
}
