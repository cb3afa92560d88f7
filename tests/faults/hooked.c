/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "hooked.h"

/* uapi since 6.6 */
#define AT_TCX_INGRESS 46
#define AT_TCX_EGRESS  47

static unsigned count(unsigned ifindex, int type)
{
	__u32 n = 0;

	return bpf_prog_query((int)ifindex, (enum bpf_attach_type)type, 0, NULL, NULL, &n) ? 0 : n;
}

unsigned hooked(unsigned ifindex)
{
	__u32 xdp = 0;

	bpf_xdp_query_id((int)ifindex, 0, &xdp);
	return (xdp != 0) + count(ifindex, AT_TCX_INGRESS) + count(ifindex, AT_TCX_EGRESS);
}
