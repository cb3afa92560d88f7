/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The map of sets.h and flows.h. */
#pragma once

#include "frame.bpf.h"
#include "flows.h"
#include "sets.h"

/* Set before load: the bits of the options that were given; 0: the verifier removes the code. */
const volatile __u32 sets_asked = 0;
const volatile __u32 sets_wanted = 0; /* of these, the bits of options without not- */

struct sets_line {
	__u64 word[8];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* set before load */
	__type(key, __u32);
	__type(value, struct sets_line);
} sets SEC(".maps");

/* key: room for the key, which is not on the stack because there is little of that. */
static __always_inline const void *table_line(__u32 *key, __u32 i)
{
	*key = i;
	return bpf_map_lookup_elem(&sets, key);
}
