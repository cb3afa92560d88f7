/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Network interfaces as rtnetlink describes them. */
#pragma once

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

struct rtlink {
	unsigned index;
	unsigned short type; /* ARPHRD_* */
	bool gone;
	char name[IFNAMSIZ];
};

#define RTLINK_ASK_SIZE (NLMSG_SPACE(sizeof(struct ifinfomsg)) + NLA_HDRLEN + sizeof(uint32_t))

/* Write a request for all interfaces into ask, which has RTLINK_ASK_SIZE bytes; its length is in
 * the header. */
struct nlmsghdr *rtlink_ask(void *ask, uint32_t sequence);
/*
 * The kernel marks an answer during which an interface came or went, and libmnl would stop reading
 * there; but the rest of it is true all the same. Removes the marks from these n bytes. Was there
 * one?
 */
bool rtlink_unmark(void *answer, int n);
/* False: the message is not about an interface, or about a bridge's port. */
bool rtlink_read(struct rtlink *l, const struct nlmsghdr *h);
/*
 * Make room for notices of hundreds of interfaces at once; by default a socket holds 92. Without
 * the privilege to force it, it gets twice net.core.rmem_max.
 */
void rtlink_make_room(int socket);
