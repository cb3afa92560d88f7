/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What all parts of the capture programs share: constants set before load, and the frame. */
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "layout.h"
#include "verifier.bpf.h"

/* Set before load; constant for the verifier, which drops what they rule out. */
const volatile __u64 ring_mask = 0;	      /* ring size - 1 */
const volatile __u64 chunk_mask = 0;	      /* size of a chunk - 1 */
const volatile __u32 chunk_shift = 0;	      /* log2 of that size */
const volatile __u64 caplen_max = CAPLEN_MAX; /* of an skb; CAPLEN_MAX_BIG: chunks are for that */
/* Of the pcapng interface blocks that records of received and of sent frames belong to. */
const volatile __u32 interface_ids[SIDES] = {};
const volatile __u32 clock_is_tai = 0;	       /* bpf_ktime_get_tai_ns is there (6.1) */
const volatile __u32 clock_is_coarse = 0;      /* CLOCK_MONOTONIC as of the last tick is enough */
const volatile __u32 no_link_header = 0;       /* the device has raw IP: nowhere to put a tag */
const volatile __u32 mark_tags = 0;	       /* say of tags that they lay beside the frame */
const volatile __u32 packet_outbound_only = 0; /* another hook has what comes in */
const volatile __u32 packet_inbound_only = 0;  /* what goes out is not wanted */
const volatile __u32 bound_vlan = 0;	       /* what the program bound to the device asks for: */
const volatile __u32 bound_time = 0;	       /* see capture/attach/facts/facts.h; at tc too */
const volatile __u32 bound_hash = 0;	       /* EPB_HASH_... + 1 */
const volatile __u32 keeps_frames = 0;	       /* from the host: else what follows is off */
const volatile __u32 after_drop = 0;	       /* frames that were captured end here, */
const volatile __u32 rest_drop = 0;	       /* and those that were not wanted */
const volatile __u32 full_pass = 0;	       /* ... but not those that the ring did not take */
const volatile __u64 watchdog = 0;	       /* ns without a reader, and they pass; 0: never */
const volatile __u64 watchdog_ticks = 0;       /* the same in jiffies */
const volatile __u32 read_first = 0;	       /* nothing is received before somebody reads */
const volatile __u32 queues_named = 0;	       /* what comes by others is the host's: */
const volatile __u64 queues_wanted[QUEUES_MAX / 64] = {};
const volatile __u32 interfaces_chosen = 0; /* of all there are some: left_out has the others */
const volatile __u32 drops_reason = 0;	    /* the tracepoint of drops has one (5.17), */
const volatile __u32 drops_socket = 0;	    /* ... and the receiving socket (6.11) */
const volatile __u32 history_chunks = 0;    /* keep the newest so many, till told; 0: the unread */
const volatile __u32 cpus_sparse = 0;	    /* ring numbers are not CPU numbers: look them up */
const volatile __u32 plain_stores = 0;	    /* publish without a barrier: ring.bpf.h */
const volatile __u64 period_ns = 0;	    /* of the timers: timer.bpf.h */
const volatile __u32 periods_unread = 0;    /* that a record waits for; 0: each rings the bell */
const volatile __u32 periods_idle = 0;	    /* without a record, and no more are expected */
const volatile __u64 wake_above = 0;	    /* bytes of unread records that do not wait */
const volatile __u32 ring_count = 0;
const volatile __u32 preempt_rt = 0;	   /* tasks preempt a program: capture.bpf.h */
const volatile __u32 unaligned_access = 0; /* by 8 bytes, anywhere: CPU and verifier take it */

/* Memory that user space or another CPU writes: one access, where it stands. */
#define READ_ONCE(x)	     (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))

/* HOOK_DROP: as HOOK_BUFF, of an sk_buff that is dropped: skb.bpf.h. */
enum hook { HOOK_XDP, HOOK_SKB, HOOK_BUFF, HOOK_DROP };

/* The frame lies in memory of the kernel, which only bpf_probe_read_kernel() reads. */
#define IS_IN_MEMORY(hook) ((hook) == HOOK_BUFF || (hook) == HOOK_DROP)

/* What the hook knows of a frame beside its bytes. */
struct frame {
	__u32 length;	  /* of the frame as recorded, its tag included */
	__u32 snaplen;	  /* bytes that the user asked for */
	__u32 generation; /* of the filter, where its verdict is the last word; else 0 */
	__u32 keep;	  /* the filter's verdict: bytes to keep */
	__u32 flags;	  /* epb_flags */
	__u32 queue;
	__u32 tag;	    /* TPID << 16 | TCI of a tag that lies beside the frame; 0: none */
	__u32 may_have_tag; /* known to the compiler */
	__u32 hash;
	__u32 has_hash;
	__u32 verdict; /* of the XDP program that the frame has gone through, XDP_... */
	__u32 has_verdict;
	__u32 unsure;	/* the filter has not run: user space has to */
	__u64 nic_time; /* 0: none */
	__u32 reduced;	/* less of it may be kept, or nothing: reduce.bpf.h */

	__u32 cooked;	  /* known to the compiler: begins with struct epb_cooked, */
	__u32 ifindex;	  /* ... of this interface, which the record names, too; */
	__u32 pkttype;	  /* ... and what that says beside */
	__u32 protocol;	  /* in network order */
	__u32 has_sender; /* on its way out, and still the socket's that sent it */

	__u32 by_netns; /* known to the compiler: the record names the namespace, */
	__u32 netns;	/* ... by its inode; of a drop, 0: not known */

	__u32 may_look; /* known to the compiler: received, where sockets can be looked up */

	__u32 has_drop;		 /* known to the compiler: what follows is there */
	const __u64 *drop_args;	 /* of the tracepoint: the sk_buff, the place, the reason (5.17) */
	const char *drop_ifname; /* in memory of the kernel; or NULL */
};
