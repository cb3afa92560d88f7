// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/*
 * A user's own XDP program with a place for a capture, for xdp-obj=: it drops UDP to port 7, lets
 * ARP pass unseen, and calls the capture for the rest. See pcap-afxdp(7).
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} pcap_afxdp SEC(".maps");

struct datagram {
	struct ethhdr ethernet;
	struct iphdr ip; /* without options */
	struct udphdr udp;
} __attribute__((packed));

SEC("xdp.frags")
int own_xdp(struct xdp_md *ctx)
{
	const struct datagram *d = (void *)(long)ctx->data;
	const void *end = (void *)(long)ctx->data_end;

	if ((const void *)(&d->ethernet + 1) <= end && d->ethernet.h_proto == bpf_htons(ETH_P_ARP))
		return XDP_PASS;
	if ((const void *)(d + 1) <= end && d->ethernet.h_proto == bpf_htons(ETH_P_IP) &&
	    d->ip.ihl == 5 && d->ip.protocol == IPPROTO_UDP && d->udp.dest == bpf_htons(7))
		return XDP_DROP;
#ifdef OWN_TAKES
	OWN_TAKES(ctx);
#endif
	bpf_tail_call(ctx, &pcap_afxdp, 0);
	return XDP_PASS; /* nobody captures */
}
