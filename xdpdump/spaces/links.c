/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "links.h"
#include "util/clock.h"
#include "util/rtlink.h"

#define BUFFER_SIZE 32768
#define MESSAGES    64 /* read in one call, because other namespaces wait */

int space_links_open(struct space_links *l, uint32_t netns)
{
	struct sockaddr_nl to = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK};
	int e;

	*l = (struct space_links){.netns = netns};
	l->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
	if (l->fd < 0)
		return -errno;
	rtlink_make_room(l->fd);
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
	_Alignas(struct nlmsghdr) char room[RTLINK_ASK_SIZE] = {0};
	const struct nlmsghdr *h = rtlink_ask(room, ++l->round);

	l->again = false;
	l->asking = true;
	if (send(l->fd, h, h->nlmsg_len, 0) >= 0)
		return 0;
	return fail(l, -errno);
}

bool space_links_are_unknown(const struct space_links *l)
{
	return l->again && !l->asking;
}

/* NLMSG_DONE and NLMSG_ERROR both begin with the error. */
static int error_of(const struct nlmsghdr *h)
{
	const int *e = NLMSG_DATA(h);

	return h->nlmsg_len >= NLMSG_LENGTH(sizeof(*e)) && *e < 0 ? *e : 0;
}

static int on_message(struct space_links *l, const struct nlmsghdr *h,
		      int (*tell)(void *to, const struct news *n), void *to)
{
	struct rtlink link;

	if (rtlink_read(&link, h)) {
		struct news n = {.kind = link.gone ? NEWS_UNLINK : NEWS_LINK,
				 .netns = l->netns,
				 .round = l->round,
				 .index = link.index,
				 .type = link.type,
				 .time = clock_wall()};

		memcpy(n.ifname, link.name, sizeof(n.ifname));
		return tell(to, &n);
	}
	if (h->nlmsg_seq != l->round ||
	    (h->nlmsg_type != NLMSG_DONE && h->nlmsg_type != NLMSG_ERROR))
		return 0;
	if (error_of(h) || h->nlmsg_type == NLMSG_ERROR)
		return fail(l, error_of(h));
	l->asking = false;
	if (l->again)
		return 0;
	return tell(to, &(struct news){.kind = NEWS_LISTED,
				       .netns = l->netns,
				       .round = l->round,
				       .time = clock_wall()});
}

/*
 * Called when the socket is empty, and not earlier: while a receive queue that has overflowed is
 * not empty, the kernel drops new messages without reporting it (until netlink_rcv_wake()), even
 * changes that the answer no longer covers. And the kernel answers one request at a time.
 */
static int ask_again(struct space_links *l)
{
	return l->again && !l->asking ? space_links_ask(l) : 0;
}

int space_links_hear(struct space_links *l, int (*tell)(void *to, const struct news *n), void *to)
{
	_Alignas(struct nlmsghdr) char buffer[BUFFER_SIZE];
	int e = 0;

	for (unsigned i = 0; i < MESSAGES && !e; i++) {
		ssize_t got = recv(l->fd, buffer, sizeof(buffer), 0);
		int left = (int)got;

		if (got < 0 && errno == ENOBUFS) {
			l->again = true;
			continue;
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return ask_again(l);
		if (got <= 0)
			return got < 0 ? fail(l, -errno) : 0;
		l->again |= rtlink_unmark(buffer, left);
		for (const struct nlmsghdr *h = (void *)buffer; mnl_nlmsg_ok(h, left) && !e;
		     h = mnl_nlmsg_next(h, &left))
			e = on_message(l, h, tell, to);
	}
	return e ? fail(l, e) : 0;
}
