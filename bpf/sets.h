/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sets of addresses and ports, as the capture programs and the library share them: one array map of
 * lines of 64 bytes. The first line says where the head of the set in use is, and the head says
 * where its parts are. There is room for two sets: one is in use while the other is written, by the
 * library or by the process that reads changed files.
 *
 * An address is 128 bits in two words, in host byte order; for IPv4, the IPv4-mapped address. As
 * for record.h, include <linux/types.h> first.
 */
#pragma once

#define SETS_LINE 64u

/* A bit for each option of addresses, and shifted by SETS_PORTS_SHIFT for each option of ports. */
#define SET_BOTH	    1u
#define SET_SOURCE	    2u
#define SET_DESTINATION	    4u
#define SET_NOT_BOTH	    8u
#define SET_NOT_SOURCE	    16u
#define SET_NOT_DESTINATION 32u
/* A frame must be in the sets of these options, and must not be in those of the others. */
#define SETS_WANTED (7u | 7u << SETS_KINDS)
#define SETS_KINDS  6u
/* The number of options, and of files. */
#define SETS_FILES		    (2 * SETS_KINDS)
#define SETS_PORTS_SHIFT	    SETS_KINDS
#define SETS_PORTS_ASKED(asked)	    ((asked) >> SETS_PORTS_SHIFT)
#define SETS_ADDRESSES_ASKED(asked) ((asked) & ((1u << SETS_PORTS_SHIFT) - 1))
/* In addition: flows are left out, those of a file and those of afxdp_flow_stop(): flows.h. For
 * these, ports are looked up. */
#define SET_FLOWS		(1u << SETS_FILES)
#define SET_FLOW_CALLS		(2u << SETS_FILES)
#define SETS_ALL		((4u << SETS_FILES) - 1)
#define SETS_FLOWS_ASKED(asked) ((asked) & (SET_FLOWS | SET_FLOW_CALLS))
#define SETS_LISTS_ASKED(asked) ((asked) & (SET_FLOWS - 1))

/*
 * What is known of an address: the bits of its options, and the line of the file that has it. If
 * lines are told, and several options of SETS_TOLD have the address, the number of its struct
 * sets_row is in place of the line.
 */
#define SETS_TOLD	      (SET_BOTH | SET_SOURCE | SET_DESTINATION)
#define SETS_TOLD_KINDS	      3u
#define SETS_LINE_BITS	      26u
#define SETS_INFO(bits, line) ((__u32)(bits) << SETS_LINE_BITS | (line))
#define SETS_BITS(info)	      ((info) >> SETS_LINE_BITS)
#define SETS_FILE_LINE(info)  ((info) & ((1u << SETS_LINE_BITS) - 1))

#define SETS_TEXTS 8u
struct sets_control {
	__u32 active; /* line of a struct sets_head; 0: there is none yet */
	__u32 said;   /* number of texts that the reader of changed files has written; the last ones
			 stay */
	/* See flows.h: lines of a struct flows_head; 0: there is none yet. [0]: of the file, [1]:
	 * of afxdp_flow_stop(). */
	__u32 flows[2];
	__u64 flows_bad, flows_full; /* lines that are not a flow; flows without room */
	__u32 room[8];
	char text[SETS_TEXTS][8 * SETS_LINE];
};
#define SETS_FIRST (sizeof(struct sets_control) / SETS_LINE) /* the line of the first set */

/*
 * Numbers of the first lines of a set's parts. Most frames need no more than this, because the bits
 * in front show that their addresses are not in the set. What those need is in one cache line; what
 * says where to search further is in the next.
 */
struct sets_head {
	__u64 seed;
	__u32 front,
		front_words; /* for single addresses: SETS_FRONT_BITS() of their hash; 0: none */
	/* For ranges of IPv4: a bit for each block of 1 << shift4 addresses that a range reaches
	 * into. */
	__u32 front4, shift4; /* 0: there are none */
	/* For ranges of IPv6: the bits of sets_block_hash(). */
	__u32 front6, front6_words, shift6;
	__u32 ports; /* struct sets_ports; 0: none */
	/* If lines are told: struct sets_row, and struct sets_port_lines; 0: none. */
	__u32 rows, port_lines;
	__u32 room[4];
};

/* In the line after that. */
struct sets_search {
	__u64 seed;
	__u32 table, table_lines; /* single addresses: struct sets_bucket */
	__u32 index4; /* for IPv4 ranges, by the upper half of the address; 0: no index */
	__u32 ranges4, ranges4_count; /* struct sets_range4, sorted, without overlaps */
	__u32 ranges6, ranges6_count; /* struct sets_range6, likewise */
	__u32 room[7];
};
#define SETS_HEAD_LINES 2u

/* Places are used in order: those from the first free one on are free. more: the address may also
 * be in a bucket behind this one. */
#define SETS_PLACES 3u
struct sets_bucket {
	__u64 high[SETS_PLACES];
	__u64 low[SETS_PLACES];
	__u32 info[SETS_PLACES];
	__u32 more;
};
/* How many buckets are searched. */
#define SETS_PROBES 24u

struct sets_index {
	struct {
		__u32 first, count;
	} of[8];
};
#define SETS_INDEX_LINES (65536u / 8)

struct sets_range4 {
	__u32 from, to, info, room;
};
#define SETS_RANGES4_TO_A_LINE 4u

struct sets_range6 {
	__u64 from[2], to[2]; /* upper half first */
	__u32 info, room[7];
};
/* A bound on the number of both: this many steps find one of them. */
#define SETS_STEPS 25u

/* For 8 ports, the bits of their options: a byte for each of the protocols. */
struct sets_ports {
	__u64 of[8];
};
#define SETS_PORTS_LINES (65536u / 8)
/* Index of that byte; SETS_PROTOCOLS: a protocol whose ports are not known. */
enum { SETS_TCP, SETS_UDP, SETS_SCTP, SETS_DCCP, SETS_UDPLITE, SETS_PROTOCOLS };

/* protocol: IANA's number. SETS_PROTOCOLS: it has no ports. */
static inline __attribute__((always_inline)) __u32 sets_place_of(__u32 protocol)
{
	switch (protocol) {
	case 6:
		return SETS_TCP;
	case 17:
		return SETS_UDP;
	case 132:
		return SETS_SCTP;
	case 33:
		return SETS_DCCP;
	case 136:
		return SETS_UDPLITE;
	default:
		return SETS_PROTOCOLS;
	}
}

/* For each option of SETS_TOLD, the line with the address, or 0. */
struct sets_row {
	__u32 line[SETS_TOLD_KINDS];
	__u32 room;
};
#define SETS_ROWS_TO_A_LINE 4u

/* For a port, the lines of these options, by protocol. */
struct sets_port_lines {
	__u32 line[SETS_PROTOCOLS][SETS_TOLD_KINDS];
	__u32 room;
};
#define SETS_PORT_LINES_LINES 65536u

#define SETS_IPV4 0xffff00000000ull /* the lower word of an IPv4 address, above its 32 bits */

/* Programs and library compute the same hash; others must not know the seed. For IPv4, high is
 * 0. */
static inline __attribute__((always_inline)) __u64 sets_hash(__u64 seed, __u64 high, __u64 low)
{
	__u64 h = seed;

	/* high is mixed before low goes in. Otherwise, for a change of high's upper bits, some
	 * change of low would cancel it, whatever the seed. */
	if (high) {
		h = (high ^ seed) * 0x9e3779b97f4a7c15ull;
		h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
		h ^= h >> 32;
	}
	h = (h ^ low) * 0xd6e8feb86659fd93ull;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
	return h ^ h >> 32;
}

/* Hash of the block of IPv6 addresses that one with this upper half is in. */
static inline __attribute__((always_inline)) __u64 sets_block_hash(__u64 seed, __u64 high,
								   __u32 shift)
{
	return sets_hash(seed, 0, high >> shift);
}

/* Maps a hash of 32 bits to a number below count. */
#define SETS_BELOW(hash32, count) ((__u32)((__u64)(__u32)(hash32) * (count) >> 32))
#define SETS_FRONT_BITS(hash)	  (1ull << ((hash)&63) | 1ull << ((hash) >> 6 & 63))
