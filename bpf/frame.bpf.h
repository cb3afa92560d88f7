/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What all parts of the capture programs share: constants that are set before load, and the
 * frame. */
#pragma once

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "layout.h"
#include "verifier.bpf.h"

/* Set before load. To the verifier they are constants, so it removes code that they make
 * unreachable. */
const volatile __u64 ring_mask = 0;	      /* ring size - 1 */
const volatile __u64 chunk_mask = 0;	      /* size of a chunk - 1 */
const volatile __u32 chunk_shift = 0;	      /* log2 of that size */
const volatile __u64 caplen_max = CAPLEN_MAX; /* of an skb; with big chunks CAPLEN_MAX_BIG */
/* The pcapng interfaces of records of received and of sent frames. */
const volatile __u32 interface_ids[SIDES] = {};
const volatile __u32 clock_is_tai = 0;	       /* bpf_ktime_get_tai_ns exists (6.1) */
const volatile __u32 clock_is_coarse = 0;      /* CLOCK_MONOTONIC of the last tick is enough */
const volatile __u32 no_link_header = 0;       /* the device has raw IP: no place for a tag */
const volatile __u32 mark_tags = 0;	       /* flag tags that lay beside the frame */
const volatile __u32 packet_outbound_only = 0; /* received frames come by another hook */
const volatile __u32 packet_inbound_only = 0;  /* sent frames are not wanted */
const volatile __u32 bound_vlan = 0;	       /* what the bound program asks its driver for: */
const volatile __u32 bound_time = 0;	       /* see capture/attach/facts/facts.h; also at tc */
const volatile __u32 bound_hash = 0;	       /* EPB_HASH_... + 1 */
const volatile __u32 keeps_frames = 0;	       /* from the host; if not, what follows is 0 */
const volatile __u32 after_drop = 0;	       /* frames that were captured are dropped, */
const volatile __u32 rest_drop = 0;	       /* and those that did not match */
const volatile __u32 full_pass = 0;	       /* ... but not those that the ring had no room for */
const volatile __u64 watchdog = 0;	 /* ns without a reader after which frames pass; 0: never */
const volatile __u64 watchdog_ticks = 0; /* the same in jiffies */
const volatile __u32 read_first = 0;	 /* no frame is received before somebody reads */
const volatile __u32 queues_named = 0;	 /* the host gets what comes by other queues than these: */
const volatile __u64 queues_wanted[QUEUES_MAX / 64] = {};
const volatile __u32 interfaces_chosen = 0; /* left_out has the interfaces that are not wanted */
const volatile __u32 drops_reason = 0;	    /* the tracepoint of drops has a reason (5.17), */
const volatile __u32 drops_socket = 0;	    /* and the receiving socket (6.11) */
const volatile __u32 history_chunks = 0;    /* keep so many, the newest; 0: all unread ones */
const volatile __u32 cpus_sparse = 0;	    /* ring numbers differ from CPU numbers: look them up */
const volatile __u32 plain_stores = 0;	    /* publish without a barrier: ring.bpf.h */
const volatile __u64 period_ns = 0;	    /* of the timers: timer.bpf.h */
const volatile __u32 periods_unread = 0;    /* that a record waits for; 0: each rings */
const volatile __u32 periods_idle = 0;	    /* without a record: then none are expected */
const volatile __u64 wake_above = 0;	    /* unread bytes above which records do not wait */
const volatile __u32 ring_count = 0;
const volatile __u32 preempt_rt = 0;	   /* other tasks may preempt a program: capture.bpf.h */
const volatile __u32 unaligned_access = 0; /* of 8 bytes: CPU and verifier accept it */

/* For memory that user space or another CPU writes: a single access, exactly here. */
#define READ_ONCE(x)	     (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))

/* HOOK_DROP: as HOOK_BUFF, for an sk_buff that is dropped: skb.bpf.h. */
enum hook { HOOK_XDP, HOOK_SKB, HOOK_BUFF, HOOK_DROP };

/* The frame lies in kernel memory, which only bpf_probe_read_kernel() can read. */
#define IS_IN_MEMORY(hook) ((hook) == HOOK_BUFF || (hook) == HOOK_DROP)

/* What the hook knows of a frame apart from its bytes. */
struct frame {
	__u32 length;	  /* of the frame as recorded, including its tag */
	__u32 snaplen;	  /* number of bytes that the user asked for */
	__u32 generation; /* that of the filter, if its verdict is final; else 0 */
	__u32 keep;	  /* the filter's verdict: bytes to keep */
	__u32 flags;	  /* epb_flags */
	__u32 queue;
	__u32 tag;	    /* TPID << 16 | TCI of a tag that lies beside the frame; 0: none */
	__u32 may_have_tag; /* known to the compiler */
	__u32 hash;
	__u32 has_hash;
	__u32 verdict; /* XDP_... returned by the program that the frame has passed */
	__u32 has_verdict;
	__u32 unsure;	/* the filter has not run: user space must run it */
	__u64 nic_time; /* 0: none */
	__u32 reduced;	/* less of it, or nothing, may be kept: reduce.bpf.h */

	__u32 cooked;	  /* known to the compiler: it begins with struct epb_cooked, */
	__u32 ifindex;	  /* with this interface, which the record names, too, */
	__u32 pkttype;	  /* and this packet type */
	__u32 protocol;	  /* in network order */
	__u32 has_sender; /* it is being sent, and still belongs to the socket that sent it */

	__u32 by_netns; /* known to the compiler: the record names the namespace, */
	__u32 netns;	/* by its inode; of a drop, 0: not known */

	__u32 may_look; /* known to the compiler: received, at a hook where sockets can be looked up
			 */

	__u32 has_drop;		 /* known to the compiler: the following are set */
	const __u64 *drop_args;	 /* arguments of the tracepoint: the sk_buff, the place, the reason
				    (5.17) */
	const char *drop_ifname; /* in kernel memory; or NULL */
};
