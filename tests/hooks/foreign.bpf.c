/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What other people have in the hooks: programs that count frames, drop them, tag them, or send
 * them past a hook. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define TAGS_MAX 2
#define TC_NEXT	 -1 /* TCX_NEXT, uapi since 6.6 */

char LICENSE[] SEC("license") = "Dual BSD/GPL";

__u64 frames;
const volatile __u32 dropping;
const volatile __u32 ending;  /* at tc: the frame goes on, and no other program there sees it */
const volatile __u32 peer_of; /* an interface: its peer receives what comes here */
/* Network byte order for the protocol, as bpf_skb_vlan_push() has it. */
const volatile __u16 tag_protocol[TAGS_MAX];
const volatile __u16 tag_tci[TAGS_MAX];

SEC("xdp")
int foreign_xdp(struct xdp_md *ctx)
{
	(void)ctx;
	__sync_fetch_and_add(&frames, 1);
	return dropping ? XDP_DROP : XDP_PASS;
}

SEC("xdp")
int foreign_drop(struct xdp_md *ctx)
{
	(void)ctx;
	__sync_fetch_and_add(&frames, 1);
	return XDP_DROP;
}

SEC("tc")
int foreign_tc(struct __sk_buff *skb)
{
	__sync_fetch_and_add(&frames, 1);
	/* The first lies beside the frame until the second moves it in. */
	if (tag_protocol[0])
		bpf_skb_vlan_push(skb, tag_protocol[0], tag_tci[0]);
	if (tag_protocol[1])
		bpf_skb_vlan_push(skb, tag_protocol[1], tag_tci[1]);
	if (dropping)
		return 2; /* TC_ACT_SHOT */
	return ending ? 0 /* TC_ACT_OK */ : TC_NEXT;
}

/* As networks of containers do: the peer's XDP programs do not see the frame, its tc programs do. */
SEC("tc")
int foreign_peer(struct __sk_buff *skb)
{
	(void)skb;
	__sync_fetch_and_add(&frames, 1);
	return (int)bpf_redirect_peer(peer_of, 0);
}
