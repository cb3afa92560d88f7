/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "default_route.h"

/*
 * Routes to an eighth of all addresses or more stand for a default route: 0.0.0.0/1 beside
 * 128.0.0.0/1, which VPNs set, or 2000::/3. 224.0.0.0/4 is that of multicast.
 */
#define PREFIX_BITS_MAX 3

struct search {
	unsigned ifindex;
	bool found;
};

static bool is_next_hop(const struct nlattr *a, const struct search *s)
{
	const struct rtnexthop *hop = mnl_attr_get_payload(a);
	int left = mnl_attr_get_payload_len(a);

	for (; RTNH_OK(hop, left); left -= RTNH_ALIGN(hop->rtnh_len), hop = RTNH_NEXT(hop))
		if ((unsigned)hop->rtnh_ifindex == s->ifindex)
			return true;
	return false;
}

static int on_attr(const struct nlattr *a, void *data)
{
	struct search *s = data;

	if (mnl_attr_get_type(a) == RTA_OIF && mnl_attr_get_u32(a) == s->ifindex)
		s->found = true;
	if (mnl_attr_get_type(a) == RTA_MULTIPATH && is_next_hop(a, s))
		s->found = true;
	return MNL_CB_OK;
}

static int on_route(const struct nlmsghdr *h, void *data)
{
	const struct rtmsg *r = mnl_nlmsg_get_payload(h);

	if (r->rtm_dst_len > PREFIX_BITS_MAX || r->rtm_type != RTN_UNICAST)
		return MNL_CB_OK;
	return mnl_attr_parse(h, sizeof(*r), on_attr, data);
}

/* All routes of one family; false: the kernel did not tell. */
static bool look(struct mnl_socket *m, unsigned char family, struct search *s)
{
	char buf[MNL_SOCKET_BUFFER_SIZE];
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct rtmsg *r;
	int n;

	h->nlmsg_type = RTM_GETROUTE;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	h->nlmsg_seq = family;
	r = mnl_nlmsg_put_extra_header(h, sizeof(*r));
	r->rtm_family = family;
	if (mnl_socket_sendto(m, h, h->nlmsg_len) < 0)
		return false;
	do {
		n = (int)mnl_socket_recvfrom(m, buf, sizeof(buf));
		if (n > 0)
			n = mnl_cb_run(buf, (size_t)n, family, mnl_socket_get_portid(m), on_route,
				       s);
	} while (n > MNL_CB_STOP);
	return n == MNL_CB_STOP;
}

bool default_route_uses(unsigned ifindex)
{
	struct search s = {.ifindex = ifindex};
	struct mnl_socket *m = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	bool known = m && mnl_socket_bind(m, 0, MNL_SOCKET_AUTOPID) == 0 && look(m, AF_INET, &s) &&
		     look(m, AF_INET6, &s);

	if (m)
		mnl_socket_close(m);
	return s.found || !known;
}
