/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What vlanpush's BPF program and its loader agree on. */
#pragma once

#include <linux/types.h>

struct vlanpush_config {
	__u16 tpid;
	__u16 tci;	 /* priority and VLAN id */
	__be16 udp_port; /* 0: tag everything */
};

struct vlanpush_counts {
	__u64 tagged;
	__u64 passed; /* not for the UDP port */
	__u64 failed;
};
