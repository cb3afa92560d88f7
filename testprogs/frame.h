/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The frames that trafgen sends, and that capcheck and pcapread verify: Ethernet, IPv4 without
 * options, UDP without checksum, struct frame_mark, filler, and in the last four bytes a marker
 * computed from the sequence number. Head and tail must belong together, the filler is known, and
 * the frame contains its length: so a single frame shows whether it was torn, cut or overwritten.
 * All fields are in network byte order. BPF programs include this file too.
 */
#pragma once

#include <linux/types.h>

#define FRAME_MIN	 60
#define FRAME_MAX	 9018
#define FRAME_HEADERS	 42
#define FRAME_TAIL_LEN	 4
#define FRAME_MAGIC	 0x70784447
#define FRAME_SPORT_BASE 4096
#define FRAME_FLOWS_MAX	 32768
#define FRAME_PORT_OTHER 9

/* The mark of every generated frame: only trafgen sends from this locally administered address. */
#define FRAME_SOURCE_MAC                                                                           \
	{                                                                                          \
		0x02, 0x74, 0x67, 0x00, 0x00, 0x01                                                 \
	}

struct frame_mark {
	__be64 seq;
	__be32 magic;
	__be16 len; /* of the whole frame as generated, without FCS and VLAN tag */
} __attribute__((packed));

static inline __u32 frame_tail(__u64 seq)
{
	return (seq * 0x9e3779b97f4a7c15ULL) >> 32;
}

static inline __u8 frame_filler(__u32 offset)
{
	return offset * 31 + 7;
}

#ifndef __bpf__

struct frame_spec {
	__u8 dst_mac[6];
	__be32 src_ip;
	__be32 dst_ip;
	__u32 flows;	   /* flow = seq % flows: source port and third byte of the source */
	__u32 match_every; /* 0: none; N: frames with seq % N == 0 go to match_port */
	__u16 match_port;
};

enum frame_verdict {
	FRAME_FOREIGN,	  /* not a generated frame */
	FRAME_UNNUMBERED, /* generated, cut before its sequence number */
	FRAME_INTACT,	  /* correct as far as it was captured */
	FRAME_CORRUPT,
};

struct frame_info {
	__u64 seq;
	__u16 sport;
	__u16 dport;
	const char *fault; /* what is wrong with a FRAME_CORRUPT */
};

void frame_build(__u8 *frame, __u32 len, __u64 seq, const struct frame_spec *spec);
enum frame_verdict frame_check(const __u8 *data, __u32 caplen, __u32 len, struct frame_info *info);

#endif
