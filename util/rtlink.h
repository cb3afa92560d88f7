/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Network interfaces as rtnetlink tells of them. */
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

/* Write the question for all of them into ask, which has RTLINK_ASK_SIZE bytes; its length is in
 * the header. */
struct nlmsghdr *rtlink_ask(void *ask, uint32_t sequence);
/*
 * The kernel marks an answer during which an interface came or went. libmnl would leave off there;
 * what the rest of it says is true all the same. Was one of these n bytes so?
 */
bool rtlink_unmark(void *answer, int n);
/* False: the message is of no interface, or of a bridge's port. */
bool rtlink_read(struct rtlink *l, const struct nlmsghdr *h);
/*
 * For notices of hundreds of interfaces at once, of which a socket by default holds 92. Whoever may
 * not force it gets twice net.core.rmem_max.
 */
void rtlink_make_room(int socket);
