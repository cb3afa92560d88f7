/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the kernel says of an interface. Asking changes nothing. */
#pragma once

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "tags.h"

struct mnl_socket;

struct facts {
	unsigned ifindex;
	char name[IFNAMSIZ];
	unsigned short type; /* ARPHRD_* */
	unsigned flags;	     /* IFF_* */
	unsigned mtu;
	unsigned rx_queues;   /* the most that it can have */
	unsigned queues;      /* those that receive now, numbered from 0 */
	unsigned tx_queues;   /* those that send now */
	bool all_queues;      /* the number of queues cannot grow */
	unsigned most_queues; /* the most that the driver can have */
	bool queues_apart;    /* each queue either receives or sends */
	bool merges;	      /* LRO is on */
	bool has_big_frames;  /* its GSO or GRO limit exceeds 64 KiB (BIG TCP) */
	char driver[32];      /* as ethtool -i names it; "": not known */
	char kind[16];	      /* of a virtual device, "veth"; "" for others */
	bool outer_header;    /* for a tunnel: its frames begin with the outer header */
	bool inactive_slaves; /* a bond, and the stack ignores what some of its slaves receive */
	bool promiscuous;     /* because of this capture or anybody else */
	uint32_t xdp_prog_id; /* id of the program in the XDP hook; 0: none */
	uint8_t xdp_attached; /* where it is: XDP_ATTACHED_DRV, _SKB or _HW of linux/if_link.h */
	unsigned master; /* index of the bond, bridge or the like that it belongs to; 0: none */
	/* Name and XDP program of that one, as found by facts_find_master(); 0: it has no
	 * program. */
	char master_name[IFNAMSIZ];
	uint32_t master_xdp;
	uint64_t nic_dropped; /* as dropped_read() counts them */
	uint64_t nic_missed;  /* rx_missed_errors alone */
	struct tags tags;     /* what becomes of tags of received frames */
	bool inserts_vlan;    /* tags of sent frames stay beside the frame down to the driver */
	/* What the driver tells an XDP program that is bound to the device (Linux 6.7; tags:
	 * 6.8). */
	bool gives_vlan, gives_time, gives_hash;
	int stamps;	       /* which frames its own clock can stamp: HWTSTAMP_FILTER_... */
	bool has_clock;	       /* ... it can stamp all frames */
	int clock;	       /* N of that clock's /dev/ptpN; -1: none */
	uint8_t hash_function; /* EPB_HASH_... */
	bool has_xdp_features; /* xdp_features is known (Linux 6.3) */
	uint64_t xdp_features; /* NETDEV_XDP_ACT_* */
};

/* The facts for AFXDP_ANY: up, index 0, of no known kind; has_big_frames if one of all has them. */
void facts_of_any(struct facts *f);
/* Fill *f. Returns 0; -ENODEV: no such interface; or the kernel's error. */
int facts_get(const char *ifname, struct facts *f);
/* What its frames begin with. An interface of neither kind can be captured only as part of
 * "any". */
bool facts_is_ethernet(const struct facts *f);
bool facts_is_raw_ip(const struct facts *f);
/* Do only packet sockets see its frames, or see them unchanged? */
bool facts_needs_packet_socket(const struct facts *f);
/* A socket for facts_refresh(), in the current network namespace. The caller closes it. Returns
 * NULL with errno set on failure. */
struct mnl_socket *facts_open(void);
/*
 * Ask again for what changes while a capture runs: flags, counters, the XDP hook. Asks by index,
 * because names change. s: from facts_open(); NULL: ask in the network namespace of the caller.
 * Returns 0, -ENODEV or the kernel's error.
 */
int facts_refresh(struct facts *f, struct mnl_socket *s);
/* Fill master_name and master_xdp, using master. */
void facts_find_master(struct facts *f);
/* Does its driver reset the interface whenever one program replaces another? */
bool facts_resets_at_swap(const struct facts *f);
/* Ask again how many queues there are: f->queues, f->tx_queues, f->all_queues. */
void facts_count_queues(const char *ifname, struct facts *f);
/* May its driver support zero-copy for AF_XDP sockets? Only bind() shows for which queues it
 * does. */
bool facts_may_have_zero_copy(const struct facts *f);
/* Write name and id of the program in the XDP hook, "xdp_pass (id 17)" or "program id 17". */
void facts_describe_holder(const struct facts *f, char *text, size_t size);
