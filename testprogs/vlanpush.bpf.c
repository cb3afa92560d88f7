/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Tags frames on their way out. The helper puts the tag beside the packet (hardware-accelerated),
 * as a VLAN device on a card does: so tags can be tested on kernels without VLAN devices.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "vlanpush.h"

#define TC_NEXT (-1) /* TCX_NEXT: the programs behind this one decide */

#define IPV4_PROTOCOL (ETH_HLEN + 9)
#define IPV6_PROTOCOL (ETH_HLEN + 6)
#define IPV4_UDP_DST  (ETH_HLEN + 20 + 2)
#define IPV6_UDP_DST  (ETH_HLEN + 40 + 2)

char _license[] SEC("license") = "Dual BSD/GPL";

const volatile struct vlanpush_config config;
struct vlanpush_counts counts;

/* Handles only headers without options, because that is what the tests send. */
static __always_inline int is_wanted(struct __sk_buff *skb)
{
	int v6 = skb->protocol == bpf_htons(ETH_P_IPV6);
	__be16 port = 0;
	__u8 protocol = 0;

	if (!config.udp_port)
		return 1;
	if (!v6 && skb->protocol != bpf_htons(ETH_P_IP))
		return 0;
	bpf_skb_load_bytes(skb, v6 ? IPV6_PROTOCOL : IPV4_PROTOCOL, &protocol, sizeof(protocol));
	bpf_skb_load_bytes(skb, v6 ? IPV6_UDP_DST : IPV4_UDP_DST, &port, sizeof(port));
	return protocol == IPPROTO_UDP && port == config.udp_port;
}

SEC("tc")
int vlan_push(struct __sk_buff *skb)
{
	if (!is_wanted(skb))
		__sync_fetch_and_add(&counts.passed, 1);
	else if (bpf_skb_vlan_push(skb, bpf_htons(config.tpid), config.tci))
		__sync_fetch_and_add(&counts.failed, 1);
	else
		__sync_fetch_and_add(&counts.tagged, 1);
	return TC_NEXT;
}
