/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the kernel says of an interface. Asking changes nothing. */
#ifndef PCAP_AFXDP_FACTS_H
#define PCAP_AFXDP_FACTS_H

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

struct mnl_socket;

struct facts {
	unsigned ifindex;
	unsigned short type; /* ARPHRD_* */
	unsigned flags;	     /* IFF_* */
	unsigned mtu;
	unsigned rx_queues;   /* that there may be; those in use: */
	unsigned queues;      /* ... so many receive now, numbered from 0 */
	unsigned tx_queues;   /* these send now */
	bool all_queues;      /* ... and there may be no more */
	char driver[32];      /* as ethtool -i names it; "": not known */
	char kind[16];	      /* of a virtual device, "veth"; "" for others */
	bool promiscuous;     /* for whatever reason */
	uint32_t xdp_prog_id; /* of the program in the XDP hook; 0: none */
	uint8_t xdp_attached; /* where it is: XDP_ATTACHED_DRV, _SKB or _HW of linux/if_link.h */
	uint64_t nic_dropped; /* missed and FIFO errors so far */
	bool strips_vlan;     /* frames come with their tag beside them */
	bool inserts_vlan;    /* frames that are sent keep theirs beside them down to the driver */
	/* What an XDP program that is bound to the device can ask its driver (6.7; tags: 6.8). */
	bool gives_vlan, gives_time, gives_hash;
	int stamps;	       /* frames it can stamp by a clock of its own: HWTSTAMP_FILTER_... */
	bool has_clock;	       /* ... all of them, */
	int clock;	       /* ... by the clock of this number; -1: none */
	uint8_t hash_function; /* EPB_HASH_... */
	bool has_xdp_features; /* the next one is known (6.3) */
	uint64_t xdp_features; /* NETDEV_XDP_ACT_* */
};

/* Of AFXDP_ANY: of no interface. */
void facts_of_any(struct facts *f);
/* Everything. -ENODEV: no such interface. */
int facts_get(const char *ifname, struct facts *f);
/* What its frames begin with: these two kinds are captured, others are not. */
bool facts_is_ethernet(const struct facts *f);
bool facts_is_raw_ip(const struct facts *f);
/* To ask again with: belongs to the network namespace of this moment. NULL with errno. */
struct mnl_socket *facts_open(void);
/*
 * What changes while a capture runs, by number, as names change: flags and counters. NULL: in the
 * network namespace of the caller. -ENODEV.
 */
int facts_refresh(struct facts *f, struct mnl_socket *s);
/* Ask again how many queues receive: f->queues, f->all_queues. */
void facts_count_queues(const char *ifname, struct facts *f);
/* May its driver have zero-copy for AF_XDP sockets? Which queues it has it for shows when asked. */
bool facts_may_have_zero_copy(const struct facts *f);
/* Name and id of the program in the XDP hook, "xdp_pass (id 17)", into text. */
void facts_describe_holder(const struct facts *f, char *text, size_t size);

#endif
