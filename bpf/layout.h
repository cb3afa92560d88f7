/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the capture programs and the library share apart from the record: the ring of one CPU, and
 * what lies in front of a diverted frame. As for record.h, include <linux/types.h> first.
 */
#pragma once

#include "record.h"

/*
 * The memory of a ring is used in chunks. The program takes the chunk that was given back last, and
 * one that was never used only if there is no other. So while the reader keeps up, a few chunks
 * that are in the caches and the TLB do all the work, however large the ring is; the rest of it is
 * for times when the reader falls behind. (64 MiB, 1500 bytes a frame: 87 ns instead of 162-217.)
 *
 * A record is never split: one that does not fit into the rest of a chunk begins the next. 128 KiB
 * hold the largest, a GRO frame of 64 KiB with link header, tag and options. If an interface has
 * larger frames (BIG TCP), chunks are larger.
 */
#define RING_CHUNKS_MAX 256u
#define RING_CHUNK_MIN	131072u
#define RING_CHUNK(ring)                                                                           \
	((ring) / RING_CHUNKS_MAX > RING_CHUNK_MIN ? (ring) / RING_CHUNKS_MAX : RING_CHUNK_MIN)
#define RING_CHUNK_BIG	  524288u
#define RING_SIZE_MIN	  (4 * RING_CHUNK_MIN)
#define RING_SIZE_MIN_BIG (4 * RING_CHUNK_BIG)
#define RING_SIZE_MAX	  (256u << 20) /* the verifier bounds map offsets at 2^29 */
#define RING_CONTROL_SIZE 4096u	       /* the control page in front of the ring */
/*
 * In the verifier's worst case, offset and length are independent of each other, and must still lie
 * inside the map's value. No record is in this slack, so struct ring_counts can be there.
 */
#define RING_SLACK_SIZE 135168u
#define RING_SLACK_BIG	401408u
/*
 * If memory has nodes, each ring lies on that of its CPU. This is the number of maps; each has the
 * rings of one node, with consecutive numbers. Rings of further nodes are in the last map, on any
 * node.
 */
#define RING_MAPS_MAX 8u
/* The minimum: ring_value_size() rounds it up to whole pages. */
#define RING_VALUE_SIZE(ring) (RING_CONTROL_SIZE + (ring) + RING_SLACK_SIZE)

/* The most that a record has of a frame, if the frame is an skb: of GRO, with link header and tags;
 * of BIG TCP, as much as libpcap takes. */
#define CAPLEN_MAX     (65536u + 64)
#define CAPLEN_MAX_BIG 262144u

/* The receive queues that can be named are 0 to QUEUES_MAX - 1. */
#define QUEUES_MAX 256u

/* bpf_xdp_load_bytes() refuses offsets and lengths beyond 0xffff. */
#define XDP_SNAPLEN_MAX 65535u

/*
 * Modes in which user space decides: such records have generation 0, and are kept whole for a
 * filter that looks further into the frame than snaplen.
 */
#define RING_TAKE_ALL 1u /* keep every frame, because the kernel could not run the filter */
#define RING_KEEP_WHOLE                                                                            \
	2u /* keep matching frames whole, because another filter may come before the first read */

/*
 * What an interface receives, and what it sends: two interfaces of a pcapng file, each with its own
 * statistics and losses.
 */
enum side { SIDE_RECEIVED, SIDE_SENT, SIDES };

/*
 * About others at tc: for captures that begin later, and what has come since this one began. Part
 * of struct shared_page.
 */
struct beside {
	__u32 observes; /* this capture passes all frames on to the host */
	/* Written by the loader; 0: none. The program that last came before ours at ingress, */
	__u32 before;
	__u32 behind;	  /* and the one that last came behind ours at egress */
	__u32 has_filter; /* clsact has a filter at egress, of the kind below */
	char filter[16];
};

/*
 * Cooked records: the filter's verdict, and the number of bytes to keep, may count from another
 * header. They may be too small by this much.
 */
#define COOKED_MORE 8u

/*
 * If a capture of all interfaces leaves some out: the indices of these, each at its index modulo
 * this number. If two share a place, one of them has it, and the reader leaves out what comes by
 * the other. The reader writes the map. A new interface is not left out until the reader has seen
 * its name.
 */
#define LEFT_OUT_PLACES 16384u

#define STIRRED_WORDS                                                                              \
	128u /* bits for the rings of MAX_CPUS, and for the shared one; a power of two */

/* What programs, loader and reader share apart from the rings: variables of bpf/count.bpf.h. */
struct shared_page {
	__u64 lost_no_ring[SIDES];
	struct beside beside;
	/*
	 * A bit for each ring. Whoever starts the ring's timer or rings the bell sets it. The
	 * reader clears it once the ring is silent, and looks at no ring whose bit is clear.
	 */
	__u64 stirred[STIRRED_WORDS];
};

/* Where a chunk is. Written before a head beyond the chunk's start, or its end, is published. */
struct ring_chunk {
	__u32 at;   /* offset in the ring's memory */
	__u32 used; /* bytes of records in it; valid once head is in a later chunk */
};

/*
 * Behind the ring, one for each chunk, indexed like chunks[]: how many records the ring had got
 * when the chunk was full. Only for the program, and only if old chunks are overwritten.
 */
struct ring_counts {
	__u64 records[SIDES];
};

/*
 * A filter's verdict, larger than any frame: keep this frame, and overwrite nothing from here on.
 * For rings whose oldest chunk is overwritten.
 */
#define RING_PULLS 0x50554c4cu

/*
 * Further bits of ring_control.unwanted: nothing is recorded before the time in .gate, or from that
 * time on. So the captures of a process begin and end at one moment, whenever each of them sees the
 * bit.
 */
#define RING_GATE_BEGINS 0x40000000u
#define RING_GATE_ENDS	 0x80000000u
#define RING_GATE_NEVER	 (~0ull)

/* Who reads: a reader of the whole capture, or only readers of its sockets. */
#define RING_ARMED	   1u
#define RING_ARMED_SOCKETS 2u

/* What the reader sleeps for. */
#define RING_WAKE_ANY  1u /* the next record */
#define RING_WAKE_PULL 2u /* one for which the filter says RING_PULLS */

/* Reasons for drops: subsystems, each with this many reasons of its own, and a bit for each. */
#define DROP_SUBSYSTEMS	  8u
#define DROP_REASONS_EACH 256u
#define DROP_REASON_WORDS (DROP_SUBSYSTEMS * DROP_REASONS_EACH / 64)

/* How many addresses of the host fit into the map that says whether a listener's frames are for the
 * host. If there are more, that is not known. */
#define ADDRESSES_MAX  65536u
#define HARMLESS_HOOKS 4u

/* How deep into the headers a slice goes. */
#define SLICE_OFF 0u
#define SLICE_L2  1u /* Ethernet and VLAN tags */
#define SLICE_L3  2u /* and IP, with extension headers */
#define SLICE_L4  3u /* and TCP with its options, UDP, UDP-Lite, SCTP, DCCP, ICMP */

struct side_counts {
	__u64 offered;	     /* frames the program was handed */
	__u64 matched;	     /* of these, frames the filter took */
	__u64 lost;	     /* how many of these the ring lost: full or copy */
	__u64 lost_reported; /* losses, including reentry, that an epb_dropcount has reported
				already */
};

/*
 * One ring: a single producer (the capture program on its CPU; for a shared ring, one at a time)
 * and a single consumer (the reader). Positions only grow. position / chunk size is the number of
 * the chunk in the order of use, and chunks[number % chunks of the ring] says where it is; position
 * % chunk size is the offset in it. A chunk is never filled to its last byte, so head is never at
 * the start of a chunk that is still empty.
 *
 * Members are grouped by who writes them; each group has cache lines of its own.
 */
struct ring_control {
	/* Written only by the capture program. */
	__u64 head;    /* end of the last published record; stored with xchg, read with acquire */
	__u64 write;   /* where the next record goes: head, or the start of the next chunk */
	__u32 place;   /* of the chunk that write is in: its offset in the ring's memory */
	__u32 busy;    /* a program is working on this ring */
	__u64 watched; /* time of the last check for a reader: bpf/watch.bpf.h */
	struct side_counts side[SIDES];
	/* Received and sent frames that came while busy (PREEMPT_RT, or the ring is shared). */
	__u64 lost_reentry[SIDES];
	__u64 lost_full; /* matched, but the ring had no room */
	__u64 lost_copy; /* matched, but the kernel could not copy the frame */

	/* Records cut to what the hook can copy, where more was asked for. */
	__u64 truncated __attribute__((aligned(64)));
	__u64 bells; /* times the doorbell was rung */
	/* Matched, but left out because less was asked for: bpf/reduce.bpf.h. */
	__u64 sampled_out;
	__u64 cut_frames; /* frames of flows that had reached their limit */
	__u64 cut_bytes;  /* bytes of these frames */
	/* engine=divert: matched, and sent to a socket; or came by a queue that is not diverted. */
	__u64 diverted;
	__u64 no_socket;
	__u64 no_headroom; /* matched, no room in front for a socket: recorded, or in no_socket */
	__u64 left_out[SIDES]; /* by side: sampled out or cut */
	__u64 watched_look;    /* the reader's .looked at the last check, */
	__u64 unread_since;    /* and the time since when it is the same, with records unread */
	__u64 looked_before;   /* the reader's .looked when it was last seen to change, */
	__u64 looked_at;       /* and the time of that, in jiffies */
	/* Passed on because nobody read: matching frames, and with rest=drop others. */
	__u64 passed_watchdog;
	__u64 rest_watchdog;
	__u64 overwritten[SIDES]; /* records that others replaced before they were read */
	/* About the frame being recorded, for the program alone: EPB_SOCKET_..., SO_COOKIE. */
	__u64 socket_how;
	__u64 socket_cookie;
	__u64 not_flows; /* frames of flows that are left out (flows.h); not counted as matched */
	__u64 pulled; /* 1 + position of the record for which the filter said RING_PULLS; 0: none */

	/* Written only by the reader, at every release. */
	__u64 tail __attribute__((aligned(64))); /* all before it may be overwritten */

	/* Written by the reader, rarely. */
	__u32 need_wakeup __attribute__((aligned(64))); /* RING_WAKE_...: ring the doorbell */
	__u32 snaplen;					/* bytes of a frame to keep */
	__u32 mode;	  /* RING_...: how to deviate from the filter's verdict */
	__u32 unwanted;	  /* EPB_FLAG_INBOUND, EPB_FLAG_OUTBOUND: directions to leave out;
			     RING_GATE_... */
	__u32 armed;	  /* RING_ARMED...: somebody reads, so frames may be kept from the host */
	__u32 keep;	  /* overwrite no more records; the program sets it, too */
	__u32 shared;	  /* several CPUs have this ring; set before the program is attached */
	__u32 timer_runs; /* written by the program and the timer: bpf/timer.bpf.h */
	/*
	 * ns to add to the program's clock to get CLOCK_REALTIME. Aligned, because on i386 it could
	 * lie on a 4-byte boundary, and the program expects it on one of 8.
	 */
	__s64 clock_offset __attribute__((aligned(8)));
	/* SO_COOKIE of the socket that the reader sends through, once it has sent; 0: it has
	 * not. */
	__u64 own_socket;
	__u64 nothing; /* always 0, but the verifier cannot know that: bpf/verifier.bpf.h, FORGET */
	/* The reader's position when it last set need_wakeup. */
	__u64 awaited;

	/* Likewise, but not read for each frame. */
	__u64 gate;	 /* CLOCK_MONOTONIC ns */
	__u64 looked;	 /* changed by the reader when it has looked, once a tick */
	__u32 has_timer; /* a timer wakes the reader; set before the program is attached */
	__u32 cpu; /* the CPU with this ring; set before the program is attached, for the reader */
	__u32 number; /* of this ring; set before the program is attached */

	/* Written by the capture program, once per chunk. All zeros is an empty ring. */
	__u64 given_back __attribute__((aligned(64))); /* chunks that came back so far */
	__u32 fresh;	  /* number of chunks that have been in use, except the first */
	__u32 free_count; /* number of entries in free[] */
	struct ring_chunk chunks[RING_CHUNKS_MAX];
	__u32 free[RING_CHUNKS_MAX]; /* a stack of offsets */
};

_Static_assert(__builtin_offsetof(struct ring_control, gate) -
			       __builtin_offsetof(struct ring_control, need_wakeup) ==
		       64,
	       "what a program reads of each frame, and a reader writes to be woken, is one line");
_Static_assert(__builtin_offsetof(struct ring_control, side) % 8 == 0 &&
		       __builtin_offsetof(struct ring_control, own_socket) % 8 == 0,
	       "what both sides share has one layout on machines of 32 and of 64 bits");

/*
 * engine=divert: what the program writes in front of a frame that it sends to a socket. It has the
 * size of the record's header, which the reader makes from it in the same place.
 */
struct divert_meta {
	__u32 time_high;
	__u32 time_low;
	__u32 packetid_low;
	__u32 packetid_high;
	__u32 length; /* of the frame, including all of its buffers but not the tag */
	__u32 keep;   /* the filter's verdict */
	__u32 tag;    /* TPID << 16 | TCI of a tag that was beside the frame; 0: none */
};

/*
 * In front of that, what the driver knows of the frame, if it was asked. Older kernels allow 32
 * bytes of metadata at most: there, such frames stay with the host, and are counted.
 */
struct divert_hints {
	__u32 nic_time_high;
	__u32 nic_time_low; /* both 0: none */
	__u32 hash;
	__u32 hash_algorithm; /* EPB_HASH_... + 1; 0: no hash */
};
