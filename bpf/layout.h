/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the capture programs and the library share beside the record: the ring of one CPU, and what
 * lies in front of a diverted frame. As with record.h, <linux/types.h> comes before.
 */
#pragma once

#include "record.h"

/*
 * The memory of a ring is used in chunks, by turns: the program takes the chunk that was given back
 * last, and one that was never used only when there is no other. So while the reader keeps up, a
 * few chunks that are in the caches and the TLB do all the work, however large the ring is; it is
 * there for the time when the reader falls behind. (64 MiB, 1500 bytes a frame: 87 ns instead of
 * 162-217.)
 *
 * A record is never split: one that does not fit into what is left of a chunk begins the next. 128
 * KiB hold the largest, a GRO frame of 64 KiB with link header, tag and options. Where an interface
 * has larger ones (BIG TCP), chunks are larger.
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
 * The verifier's worst case, an offset and a length that know nothing of each other, has to lie
 * inside the map's value. No record is here, so that struct ring_counts can be.
 */
#define RING_SLACK_SIZE 135168u
#define RING_SLACK_BIG	401408u
/*
 * Where memory has nodes, rings lie on that of their CPU. So many maps, each with the rings of one
 * node, whose numbers follow each other; rings of further nodes are in the last, wherever it lies.
 */
#define RING_MAPS_MAX 8u
/* At least: ring_value_size() has it in whole pages. */
#define RING_VALUE_SIZE(ring) (RING_CONTROL_SIZE + (ring) + RING_SLACK_SIZE)

/* The most that a record has of a frame, as the kernel's stack has it: of GRO, with link header and
 * tags; of BIG TCP what libpcap takes at most. */
#define CAPLEN_MAX     (65536u + 64)
#define CAPLEN_MAX_BIG 262144u

/* Receive queues that can be named, from 0 on. */
#define QUEUES_MAX 256u

/* bpf_xdp_load_bytes() refuses offsets and lengths beyond 0xffff. */
#define XDP_SNAPLEN_MAX 65535u

/*
 * Modes, in which user space has the last word: such records have generation 0, and are kept whole
 * for a filter that looks further into the frame than snaplen.
 */
#define RING_TAKE_ALL 1u /* keep every frame: the kernel could not run the filter */
#define RING_KEEP_WHOLE                                                                            \
	2u /* matching frames, whole: another filter may come before the first read */

/*
 * What an interface receives and what it sends: two interfaces of a file, each with its statistics
 * and losses.
 */
enum side { SIDE_RECEIVED, SIDE_SENT, SIDES };

/*
 * Of others at tc: for a capture that begins later, and what came after this one began. In
 * struct shared_page.
 */
struct beside {
	__u32 observes; /* what this capture takes, the host gets as well */
	/* Written by the loader; 0: none. The last program that came before ours at ingress, */
	__u32 before;
	__u32 behind;	  /* ... and that came behind ours at egress, */
	__u32 has_filter; /* ... and whether clsact has a filter at egress, of this kind: */
	char filter[16];
};

/*
 * Cooked records: who filters and says how much to keep may count from another header. By so much
 * that may be too little.
 */
#define COOKED_MORE 8u

/*
 * Of a capture of some interfaces of all: numbers of those that are not wanted, each at its own
 * modulo this. Where two meet one of them has the place; what comes by the other is left out by the
 * reader, which writes this. A new interface is wanted until the reader has seen its name.
 */
#define LEFT_OUT_PLACES 16384u

#define STIRRED_WORDS                                                                              \
	128u /* bits for MAX_CPUS rings, and for one that CPUs share; a power of two */

/* What programs, loader and reader share beside the rings: variables of bpf/count.bpf.h. */
struct shared_page {
	__u64 lost_no_ring[SIDES];
	struct beside beside;
	/*
	 * A bit for each ring: the program sets it when it starts the ring's timer, and who rings
	 * the bell. The reader clears it once the ring is silent, and looks at no ring without it.
	 */
	__u64 stirred[STIRRED_WORDS];
};

/* Where a chunk lies. Written before a head beyond its start, or beyond its end, is published. */
struct ring_chunk {
	__u32 at;   /* offset in the ring's memory */
	__u32 used; /* bytes of records in it; valid once head is in a later chunk */
};

/*
 * Behind the ring, one for each chunk, as chunks[] has them: what the ring had been given when the
 * chunk was full. For the program alone, and only where the oldest chunk makes room.
 */
struct ring_counts {
	__u64 records[SIDES];
};

/*
 * A filter's verdict, longer than any frame: keep it, and everything from here on. Of a ring in
 * which the oldest chunk makes room.
 */
#define RING_PULLS 0x50554c4cu

/*
 * Beside the directions in ring_control.unwanted: nothing is recorded before the time that .gate
 * has, or from it on. So captures of one process begin and end at one moment, whenever each of them
 * hears of it.
 */
#define RING_GATE_BEGINS 0x40000000u
#define RING_GATE_ENDS	 0x80000000u
#define RING_GATE_NEVER	 (~0ull)

/* Who reads: all of the capture, or its sockets alone. */
#define RING_ARMED	   1u
#define RING_ARMED_SOCKETS 2u

/* Till when the reader sleeps. */
#define RING_WAKE_ANY  1u /* the next record */
#define RING_WAKE_PULL 2u /* one for which the filter says RING_PULLS */

/* Reasons for drops: subsystems, each with so many of its own, and a bit for each. */
#define DROP_SUBSYSTEMS	  8u
#define DROP_REASONS_EACH 256u
#define DROP_REASON_WORDS (DROP_SUBSYSTEMS * DROP_REASONS_EACH / 64)

/* Addresses of the host, of whom frames to listeners are. With more it is not known. */
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
	__u64 lost;	     /* of these, the ring's losses: full or copy */
	__u64 lost_reported; /* losses, by reentry too, already in a record's epb_dropcount */
};

/*
 * One ring: single producer (the capture program on its CPU; of a shared ring one at a time),
 * single consumer (the reader). Positions only grow. position / chunk size is the number of the
 * chunk in the order of use, and chunks[number % chunks of the ring] tells where it is; position %
 * chunk size is the place in it. A chunk is never filled to its last byte, so that a head is never
 * at the start of a chunk that has nothing in it yet.
 *
 * Each group has a cache line of its own, by who writes it.
 */
struct ring_control {
	/* Written by the capture program alone. */
	__u64 head;    /* end of the last published record; stored with xchg, read with acquire */
	__u64 write;   /* where the next record goes: head, or the start of the chunk after it */
	__u32 place;   /* of the chunk that write is in: offset in the ring's memory */
	__u32 busy;    /* a program is at work on this ring */
	__u64 watched; /* time of the last look for a reader: bpf/watch.bpf.h */
	struct side_counts side[SIDES];
	/* Received, sent: came while busy (PREEMPT_RT, or the ring is shared). */
	__u64 lost_reentry[SIDES];
	__u64 lost_full; /* matched, but the ring had no room */
	__u64 lost_copy; /* matched, but the kernel could not copy the frame */

	/* Records cut to what the hook can copy, where more was asked for. */
	__u64 truncated __attribute__((aligned(64)));
	__u64 bells; /* times the doorbell was rung */
	/* Matched, and left out because less was asked for: bpf/reduce.bpf.h. */
	__u64 sampled_out;
	__u64 cut_frames; /* of flows that had their bytes */
	__u64 cut_bytes;  /* the frames' lengths */
	/* engine=divert: matched, and sent to a socket; or of a queue that is not diverted. */
	__u64 diverted;
	__u64 no_socket;
	__u64 no_headroom; /* matched, no room in front for a socket: recorded, or in no_socket */
	__u64 left_out[SIDES]; /* of received and of sent frames: sampled out or cut */
	__u64 watched_look;    /* of the reader, the last as of that look, */
	__u64 unread_since;    /* ... and since when there was no other, with records unread */
	__u64 looked_before;   /* of the reader, the last look that was seen, */
	__u64 looked_at;       /* ... and when, in jiffies */
	/* As nobody read, passed on: matched, or with rest=drop not. */
	__u64 passed_watchdog;
	__u64 rest_watchdog;
	__u64 overwritten[SIDES]; /* records that made room for others, unread */
	/* Of the frame that is being recorded, for the program alone: EPB_SOCKET_..., SO_COOKIE. */
	__u64 socket_how;
	__u64 socket_cookie;
	__u64 not_flows; /* of flows that are left out: flows.h; not matched */
	__u64 pulled; /* 1 + position of the record for which the filter said RING_PULLS; 0: none */

	/* Written by the reader alone, at every release. */
	__u64 tail __attribute__((aligned(64))); /* all before this position may be overwritten */

	/* Written by the reader, seldom. */
	__u32 need_wakeup __attribute__((aligned(64))); /* RING_WAKE_...: ring the doorbell */
	__u32 snaplen;					/* bytes of a frame to keep */
	__u32 mode;	  /* RING_...: what to do other than the filter says */
	__u32 unwanted;	  /* EPB_FLAG_INBOUND, EPB_FLAG_OUTBOUND: directions to leave out;
			     RING_GATE_... */
	__u32 armed;	  /* RING_ARMED...: somebody reads, frames may be kept from the host */
	__u32 keep;	  /* no record makes room for another any more; the program sets it, too */
	__u32 shared;	  /* others have it, too; set before the program is attached */
	__u32 timer_runs; /* written by the program and the timer: bpf/timer.bpf.h */
	/*
	 * ns to add to the program's clock to get CLOCK_REALTIME. Aligned: on i386 it would lie on
	 * a bound of 4 bytes, and the program looks for it behind 8.
	 */
	__s64 clock_offset __attribute__((aligned(8)));
	/* SO_COOKIE of the socket that the reader sends by, once it has; 0: it has not. */
	__u64 own_socket;
	__u64 nothing; /* always 0, which the verifier cannot know: bpf/verifier.bpf.h, FORGET */
	/* Position that the reader had come to when it last set need_wakeup. */
	__u64 awaited;

	/* Likewise, and not of each frame. */
	__u64 gate;	 /* CLOCK_MONOTONIC ns */
	__u64 looked;	 /* another number when the reader has looked, once a tick */
	__u32 has_timer; /* that wakes the reader; set before the program is attached */
	__u32 cpu;    /* that has this ring; set before the program is attached, for the reader */
	__u32 number; /* of this ring; set before the program is attached */

	/* Written by the capture program, once per chunk. All 0 is an empty ring. */
	__u64 given_back
		__attribute__((aligned(64))); /* chunks that came back from the reader so far */
	__u32 fresh;	  /* chunks that have been in use, the first not counted */
	__u32 free_count; /* of free[] */
	struct ring_chunk chunks[RING_CHUNKS_MAX];
	__u32 free[RING_CHUNKS_MAX]; /* a stack of places */
};

_Static_assert(__builtin_offsetof(struct ring_control, gate) -
			       __builtin_offsetof(struct ring_control, need_wakeup) ==
		       64,
	       "what a program reads of each frame, and a reader writes to be woken, is one line");
_Static_assert(__builtin_offsetof(struct ring_control, side) % 8 == 0 &&
		       __builtin_offsetof(struct ring_control, own_socket) % 8 == 0,
	       "what both sides share has one layout on machines of 32 and of 64 bits");

/*
 * engine=divert: what the program writes in front of a frame that it sends to a socket. As long as
 * the record's header, which the reader makes of it in the same place.
 */
struct divert_meta {
	__u32 time_high;
	__u32 time_low;
	__u32 packetid_low;
	__u32 packetid_high;
	__u32 length; /* of the frame, all of its buffers, without the tag */
	__u32 keep;   /* the filter's verdict */
	__u32 tag;    /* TPID << 16 | TCI of a tag that lay beside the frame; 0: none */
};

/*
 * In front of that, what the driver knows of the frame, where it was asked. Older kernels take 32
 * bytes of metadata at most: such frames stay with the host there, and are counted.
 */
struct divert_hints {
	__u32 nic_time_high;
	__u32 nic_time_low; /* both 0: none */
	__u32 hash;
	__u32 hash_algorithm; /* EPB_HASH_... + 1; 0: no hash */
};
