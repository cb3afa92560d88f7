/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * xdp-obj=FILE: an XDP program of the user's own in the hook, which calls the capture where it
 *wants to. The contract, also in pcap-afxdp(7):
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
 *		... XDP_DROP what nobody shall see, XDP_PASS what shall not be captured ...
 *		bpf_tail_call(ctx, &pcap_afxdp, 0);
 *		return XDP_PASS;
 *	}
 *
 * The call does not return: the frame is then captured, and passed, dropped or diverted.
 */
#ifndef PCAP_AFXDP_OWN_PROGRAM_H
#define PCAP_AFXDP_OWN_PROGRAM_H

#include <stddef.h>

#define OWN_PROGRAM_MAP "pcap_afxdp"

struct bpf_object;

/*
 * Load the object in file, its map being the PROG_ARRAY slots, which has a capture program. Returns
 * the program's descriptor, which is the object's; or -errno with err written.
 */
int own_program_load(struct bpf_object **object, const char *file, int slots, char *err,
		     size_t size);

#endif
