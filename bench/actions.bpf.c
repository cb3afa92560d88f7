// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What any XDP program costs that leaves frames alone, and the least that can be done with one. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "Dual BSD/GPL";

SEC("xdp_pass")
int pass_all(struct xdp_md *ctx)
{
	(void)ctx;
	return XDP_PASS;
}

SEC("xdp_drop")
int drop_all(struct xdp_md *ctx)
{
	(void)ctx;
	return XDP_DROP;
}
