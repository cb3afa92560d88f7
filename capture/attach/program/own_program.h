/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * xdp-obj=FILE: an XDP program of the user's own is in the hook, and calls the capture. Its
 * contract, also in pcap-afxdp(7):
 *
 *	struct {
 *		__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
 *		__uint(max_entries, 1);
 *		__type(key, __u32);
 *		__type(value, __u32);
 *	} pcap_afxdp SEC(".maps");
 *
 *	SEC("xdp.frags") int program(struct xdp_md *ctx)
 *	{
 *		... return XDP_DROP to drop a frame, XDP_PASS to leave it out of the capture ...
 *		bpf_tail_call(ctx, &pcap_afxdp, 0);
 *		return XDP_PASS;
 *	}
 *
 * The call does not return: the capture program records the frame, then passes, drops or diverts
 * it.
 */
#pragma once

#include <stddef.h>

#define OWN_PROGRAM_MAP "pcap_afxdp"

struct bpf_object;

/*
 * Load the object in file. Its map becomes the PROG_ARRAY with descriptor slots, which has a
 * capture program. Returns the program's descriptor, which belongs to *object; or -errno with err
 * written. -EPERM: this process has file capabilities or is set-user-ID. The caller closes *object,
 * also after -errno.
 */
int own_program_load(struct bpf_object **object, const char *file, int slots, char *err,
		     size_t size);
