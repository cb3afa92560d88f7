/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the capture programs and the code that completes them before load
 * (capture/attach/program/image.c) agree on: 64-bit constants that stand for something else.
 * Include <linux/types.h> first.
 */
#pragma once

/*
 * The filter. The program takes the lower half as the filter's verdict: as compiled, all ones keep
 * every frame whole. One marker is for received frames, one for frames at XDP with a VLAN tag
 * beside them, one for sent frames.
 */
#define FILTER_MARKER	       0x46494c54ffffffffULL
#define FILTER_MARKER_TAGGED   0x46494c56ffffffffULL
#define FILTER_MARKER_OUTBOUND 0x46494c4fffffffffULL

/* The generation of the filter, 1 to 255, in the lower half; as compiled, 0: none. */
#define GENERATION_MARKER 0x47454e5200000000ULL

/*
 * Functions of the kernel by which drivers tell what they know of a frame. The programs call
 * helpers with these numbers, which do not exist; such calls become calls of the functions
 * (capture/attach/trace/kernel_types.c). Calls that nobody asked for stay, because the verifier
 * sees that they are never reached.
 */
#define KFUNC_RX_VLAN_TAG  0x4b460001 /* bpf_xdp_metadata_rx_vlan_tag (6.8) */
#define KFUNC_RX_TIMESTAMP 0x4b460002 /* bpf_xdp_metadata_rx_timestamp (6.3) */
#define KFUNC_RX_HASH	   0x4b460003 /* bpf_xdp_metadata_rx_hash (6.3) */
/* Likewise, but not a driver's: makes a kernel structure readable, by its type. */
#define KFUNC_RDONLY_CAST 0x4b460004 /* bpf_rdonly_cast (6.2) */

/*
 * Stack of a capture program: down to HOST_STACK it is the compiler's (checked in image.c); then
 * comes the tag beside a frame, TPID << 16 | TCI; the rest is the filter's.
 */
#define HOST_STACK	 (-320)
#define FILTER_TAG_SLOT	 (-328)
#define FILTER_STACK_TOP (-328)
/* A called function has what these leave of 512 bytes; the kernel rounds up to a multiple of 32. */
#define CALLED_STACK (-64)
/* The same for programs that trace, which have no tag: with the filter's stack, this is all. */
#define TRACE_HOST_STACK (-392)

/* What a filter gets in a program that traces an XDP program: filter.h, FILTER_BUFF. */
struct buff_view {
	__u64 data;
	__u32 length;
	__u32 ifindex;
	__u32 queue;
	__u32 padding;
};

/* How many captures can share the root program of one interface. */
#define CAPTURE_SLOTS 16
