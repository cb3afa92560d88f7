// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/* own_xdp with a map that libbpf pins by its name, and thereby shares. */
#include "own_xdp.bpf.c"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
	__type(key, __u32);
	__type(value, __u32);
} afxdp_shared SEC(".maps");
