/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "rtlink.h"

#define ROOM (4 << 20) /* the kernel doubles it */

struct nlmsghdr *rtlink_ask(void *ask, uint32_t sequence)
{
	struct nlmsghdr *h = mnl_nlmsg_put_header(ask);

	h->nlmsg_type = RTM_GETLINK;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	h->nlmsg_seq = sequence;
	mnl_nlmsg_put_extra_header(h, sizeof(struct ifinfomsg));
	mnl_attr_put_u32(h, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
	return h;
}

bool rtlink_unmark(void *answer, int n)
{
	struct nlmsghdr *h = answer;
	bool is_marked = false;

	for (; mnl_nlmsg_ok(h, n); h = mnl_nlmsg_next(h, &n)) {
		is_marked |= (h->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
		h->nlmsg_flags &= (uint16_t)~NLM_F_DUMP_INTR;
	}
	return is_marked;
}

static int read_name(const struct nlattr *a, void *data)
{
	struct rtlink *l = data;

	if (mnl_attr_get_type(a) == IFLA_IFNAME)
		snprintf(l->name, sizeof(l->name), "%.*s", mnl_attr_get_payload_len(a),
			 mnl_attr_get_str(a));
	return MNL_CB_OK;
}

bool rtlink_read(struct rtlink *l, const struct nlmsghdr *h)
{
	const struct ifinfomsg *i = mnl_nlmsg_get_payload(h);

	if ((h->nlmsg_type != RTM_NEWLINK && h->nlmsg_type != RTM_DELLINK) ||
	    mnl_nlmsg_get_payload_len(h) < sizeof(*i) || i->ifi_family != AF_UNSPEC ||
	    i->ifi_index <= 0)
		return false;
	*l = (struct rtlink){.index = (unsigned)i->ifi_index,
			     .type = i->ifi_type,
			     .gone = h->nlmsg_type == RTM_DELLINK};
	mnl_attr_parse(h, sizeof(*i), read_name, l);
	return true;
}

void rtlink_make_room(int socket)
{
	int room = ROOM;

	if (setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
}
