/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the capture programs and the code that completes them before load
 * (capture/attach/program/image.c) agree on: 64-bit constants that stand where something else
 * belongs. Include <linux/types.h> first.
 */
#pragma once

/*
 * The filter. The program takes the lower half for the filter's verdict: as compiled, all ones, it
 * keeps every frame whole. One for frames that come in, one for those under XDP that have a VLAN
 * tag beside them, one for frames that go out.
 */
#define FILTER_MARKER	       0x46494c54ffffffffULL
#define FILTER_MARKER_TAGGED   0x46494c56ffffffffULL
#define FILTER_MARKER_OUTBOUND 0x46494c4fffffffffULL

/* The generation of the filter, 1 to 255, in the lower half; as compiled, none: 0. */
#define GENERATION_MARKER 0x47454e5200000000ULL

/*
 * Functions of the kernel, by which drivers tell what they know of a frame: calls of such helpers,
 * which there are not, become calls of these (capture/attach/trace/kernel_types.c). Those not asked
 * for stay, as the verifier sees that it never comes to them.
 */
#define KFUNC_RX_VLAN_TAG  0x4b460001 /* bpf_xdp_metadata_rx_vlan_tag (6.8) */
#define KFUNC_RX_TIMESTAMP 0x4b460002 /* bpf_xdp_metadata_rx_timestamp (6.3) */
#define KFUNC_RX_HASH	   0x4b460003 /* bpf_xdp_metadata_rx_hash (6.3) */
/* The same, of no driver: one of the kernel's structures, to read, by its type. */
#define KFUNC_RDONLY_CAST 0x4b460004 /* bpf_rdonly_cast (6.2) */

/*
 * Stack of a capture program: down to HOST_STACK it is the compiler's (checked in image.c), then
 * the tag beside a frame, TPID << 16 | TCI, and below the filter's.
 */
#define HOST_STACK	 (-320)
#define FILTER_TAG_SLOT	 (-328)
#define FILTER_STACK_TOP (-328)
/* A function that is called has what these leave of 512 bytes; the kernel rounds up by 32. */
#define CALLED_STACK (-64)
/* The same of programs that trace, which have no tag: with the filter's it is all that there is. */
#define TRACE_HOST_STACK (-392)

/* What a filter in a program that traces an XDP program is given: filter.h, FILTER_BUFF. */
struct buff_view {
	__u64 data;
	__u32 length;
	__u32 ifindex;
	__u32 queue;
	__u32 padding;
};

/* Captures that can share the root program of one interface. */
#define CAPTURE_SLOTS 16
