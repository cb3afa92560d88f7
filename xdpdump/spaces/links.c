/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "links.h"

#define BUFFER_SIZE 32768
#define MESSAGES    64 /* at once: there are other namespaces */

int space_links_open(struct space_links *l, uint32_t netns)
{
	struct sockaddr_nl to = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK};
	int e;

	*l = (struct space_links){.netns = netns};
	l->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
	if (l->fd < 0)
		return -errno;
	if (bind(l->fd, (struct sockaddr *)&to, sizeof(to)) == 0)
		return 0;
	e = -errno;
	space_links_close(l);
	return e;
}

void space_links_close(struct space_links *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

/* There will be no answer. */
static int fail(struct space_links *l, int e)
{
	l->asking = false;
	l->again = true;
	return e;
}

int space_links_ask(struct space_links *l)
{
	struct {
		struct nlmsghdr h;
		struct ifinfomsg i;
		struct rtattr a;
		uint32_t mask;
	} request = {
		.h = {.nlmsg_len = sizeof(request),
		      .nlmsg_type = RTM_GETLINK,
		      .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		      .nlmsg_seq = ++l->round},
		.a = {.rta_len = RTA_LENGTH(sizeof(request.mask)), .rta_type = IFLA_EXT_MASK},
		.mask = RTEXT_FILTER_SKIP_STATS,
	};

	l->again = false;
	l->asking = true;
	if (send(l->fd, &request, sizeof(request), 0) >= 0)
		return 0;
	return fail(l, -errno);
}

bool space_links_are_unknown(const struct space_links *l)
{
	return l->again && !l->asking;
}

static void find_name(const struct nlmsghdr *h, struct news *n)
{
	const struct ifinfomsg *i = NLMSG_DATA(h);
	int left = (int)IFLA_PAYLOAD(h);

	for (const struct rtattr *a = IFLA_RTA(i); RTA_OK(a, left); a = RTA_NEXT(a, left))
		if (a->rta_type == IFLA_IFNAME)
			snprintf(n->ifname, sizeof(n->ifname), "%.*s", (int)RTA_PAYLOAD(a),
				 (const char *)RTA_DATA(a));
}

static int on_link(struct space_links *l, const struct nlmsghdr *h,
		   int (*tell)(void *to, const struct news *n), void *to)
{
	const struct ifinfomsg *i = NLMSG_DATA(h);
	struct news n = {.kind = h->nlmsg_type == RTM_DELLINK ? NEWS_UNLINK : NEWS_LINK,
			 .netns = l->netns,
			 .round = l->round};

	/* A bridge tells of its ports in the same way, also that they have left it. */
	if (h->nlmsg_len < NLMSG_LENGTH(sizeof(*i)) || i->ifi_family != AF_UNSPEC ||
	    i->ifi_index <= 0)
		return 0;
	n.index = (uint32_t)i->ifi_index;
	n.type = i->ifi_type;
	find_name(h, &n);
	return tell(to, &n);
}

/* Both begin with it. */
static int error_of(const struct nlmsghdr *h)
{
	const int *e = NLMSG_DATA(h);

	return h->nlmsg_len >= NLMSG_LENGTH(sizeof(*e)) && *e < 0 ? *e : 0;
}

static int on_message(struct space_links *l, const struct nlmsghdr *h,
		      int (*tell)(void *to, const struct news *n), void *to)
{
	l->again |= (h->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
	if (h->nlmsg_type == RTM_NEWLINK || h->nlmsg_type == RTM_DELLINK)
		return on_link(l, h, tell, to);
	if (h->nlmsg_seq != l->round ||
	    (h->nlmsg_type != NLMSG_DONE && h->nlmsg_type != NLMSG_ERROR))
		return 0;
	if (error_of(h) || h->nlmsg_type == NLMSG_ERROR)
		return fail(l, error_of(h));
	l->asking = false;
	if (l->again)
		return space_links_ask(l);
	return tell(to, &(struct news){.kind = NEWS_LISTED, .netns = l->netns, .round = l->round});
}

int space_links_hear(struct space_links *l, int (*tell)(void *to, const struct news *n), void *to)
{
	_Alignas(struct nlmsghdr) char buffer[BUFFER_SIZE];
	int e = 0;

	for (unsigned i = 0; i < MESSAGES && !e; i++) {
		ssize_t got = recv(l->fd, buffer, sizeof(buffer), 0);
		unsigned left = got > 0 ? (unsigned)got : 0;

		if (got < 0 && errno == ENOBUFS) {
			l->again = true; /* the kernel answers one question at a time */
			e = l->asking ? 0 : space_links_ask(l);
			continue;
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 && errno != EAGAIN ? fail(l, -errno) : 0;
		for (const struct nlmsghdr *h = (void *)buffer; NLMSG_OK(h, left) && !e;
		     h = NLMSG_NEXT(h, left))
			e = on_message(l, h, tell, to);
	}
	return e ? fail(l, e) : 0;
}
