/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "capture/options/options.h"
#include "default_route.h"
#include "capture/attach/facts/facts.h"

/*
 * A route to at least an eighth of all addresses counts as a default route: 0.0.0.0/1 beside
 * 128.0.0.0/1, which VPNs set, or 2000::/3. 224.0.0.0/4 is for multicast.
 */
#define PREFIX_BITS_MAX 3
#define NEST_MAX	8 /* devices stacked on one another: the kernel's MAX_NEST_DEV */
#define REQUEST_SIZE	64
#define TRIES		8 /* because the kernel's tables may change while they are listed */

/* The number of a device, or of a next hop object, and the device that it stands for. */
struct way {
	uint32_t number, device;
};

struct ways {
	struct way *at;
	size_t count;
};

struct search {
	struct ways devices;   /* the interface, and the devices on top of it */
	struct ways next_hops; /* next hop objects that use one of these */
	uint32_t found;	       /* a device with a default route; 0: none */
};

static uint32_t device_of(const struct ways *w, uint32_t number)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->at[i].number == number)
			return w->at[i].device;
	return 0;
}

/* Returns what netlink's callbacks return. */
static int add(struct ways *w, uint32_t number, uint32_t device)
{
	struct way *more;

	if (!device || device_of(w, number))
		return MNL_CB_OK;
	more = realloc(w->at, (w->count + 1) * sizeof(*more));
	if (!more) {
		errno = ENOMEM;
		return MNL_CB_ERROR;
	}
	more[w->count++] = (struct way){number, device};
	w->at = more;
	return MNL_CB_OK;
}

struct link {
	uint32_t lower, master;
	bool is_elsewhere; /* the lower device is in another network namespace */
};

static int on_link_attr(const struct nlattr *a, void *data)
{
	struct link *l = data;

	switch (mnl_attr_get_type(a)) {
	case IFLA_LINK:
		l->lower = mnl_attr_get_u32(a);
		break;
	case IFLA_MASTER:
		l->master = mnl_attr_get_u32(a);
		break;
	case IFLA_LINK_NETNSID:
		l->is_elsewhere = true;
		break;
	}
	return MNL_CB_OK;
}

/* A port leads to its bridge or bond, and a device to the VLANs or macvlans on top of it. */
static int on_link(const struct nlmsghdr *h, void *data)
{
	const struct ifinfomsg *i = mnl_nlmsg_get_payload(h);
	struct search *s = data;
	uint32_t index = (uint32_t)i->ifi_index;
	struct link l = {0};
	int status = mnl_attr_parse(h, sizeof(*i), on_link_attr, &l);

	if (status == MNL_CB_OK && l.master && device_of(&s->devices, index))
		status = add(&s->devices, l.master, l.master);
	if (status == MNL_CB_OK && !l.is_elsewhere && device_of(&s->devices, l.lower))
		status = add(&s->devices, index, index);
	return status;
}

struct next_hop {
	const struct search *search;
	uint32_t id, device;
};

static int on_next_hop_attr(const struct nlattr *a, void *data)
{
	struct next_hop *n = data;
	const struct nexthop_grp *member = mnl_attr_get_payload(a);

	switch (mnl_attr_get_type(a)) {
	case NHA_ID:
		n->id = mnl_attr_get_u32(a);
		break;
	case NHA_OIF:
		n->device = device_of(&n->search->devices, mnl_attr_get_u32(a));
		break;
	case NHA_GROUP:
		for (size_t i = 0; i < mnl_attr_get_payload_len(a) / sizeof(*member); i++)
			if (!n->device)
				n->device = device_of(&n->search->next_hops, member[i].id);
		break;
	}
	return MNL_CB_OK;
}

static int on_next_hop(const struct nlmsghdr *h, void *data)
{
	struct search *s = data;
	struct next_hop n = {.search = s};
	int status = mnl_attr_parse(h, sizeof(struct nhmsg), on_next_hop_attr, &n);

	return status == MNL_CB_OK ? add(&s->next_hops, n.id, n.device) : status;
}

static uint32_t device_of_hops(const struct search *s, const struct nlattr *a)
{
	const struct rtnexthop *hop = mnl_attr_get_payload(a);
	int left = mnl_attr_get_payload_len(a);
	uint32_t device = 0;

	for (; RTNH_OK(hop, left) && !device;
	     left -= RTNH_ALIGN(hop->rtnh_len), hop = RTNH_NEXT(hop))
		device = device_of(&s->devices, (uint32_t)hop->rtnh_ifindex);
	return device;
}

static int on_route_attr(const struct nlattr *a, void *data)
{
	struct search *s = data;
	uint32_t device = 0;

	switch (mnl_attr_get_type(a)) {
	case RTA_OIF:
		device = device_of(&s->devices, mnl_attr_get_u32(a));
		break;
	case RTA_MULTIPATH:
		device = device_of_hops(s, a);
		break;
	case RTA_NH_ID: /* the only attribute if net.ipv4.nexthop_compat_mode is 0 */
		device = device_of(&s->next_hops, mnl_attr_get_u32(a));
		break;
	}
	if (device && !s->found)
		s->found = device;
	return MNL_CB_OK;
}

static int on_route(const struct nlmsghdr *h, void *data)
{
	const struct rtmsg *r = mnl_nlmsg_get_payload(h);

	if (r->rtm_dst_len > PREFIX_BITS_MAX || r->rtm_type != RTN_UNICAST)
		return MNL_CB_OK;
	return mnl_attr_parse(h, sizeof(*r), on_route_attr, data);
}

/* Get one of the kernel's lists, and pass each entry to cb. Each call opens a socket, because after
 * an interrupted dump the rest of it stays in the old one. */
static int list_once(uint16_t type, const void *header, size_t length, mnl_cb_t cb,
		     struct search *s)
{
	struct mnl_socket *m = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	char request[REQUEST_SIZE] = {0}, buf[MNL_SOCKET_BUFFER_SIZE];
	struct nlmsghdr *h = mnl_nlmsg_put_header(request);
	int n = -1, e;

	if (!m)
		return -errno;
	h->nlmsg_type = type;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	memcpy(mnl_nlmsg_put_extra_header(h, length), header, length);
	if (mnl_socket_bind(m, 0, MNL_SOCKET_AUTOPID) == 0 &&
	    mnl_socket_sendto(m, h, h->nlmsg_len) >= 0)
		do {
			n = (int)mnl_socket_recvfrom(m, buf, sizeof(buf));
			if (n > 0)
				n = mnl_cb_run(buf, (size_t)n, 0, mnl_socket_get_portid(m), cb, s);
		} while (n > MNL_CB_STOP);
	e = n < 0 ? -errno : 0;
	mnl_socket_close(m);
	return e;
}

static int list(uint16_t type, const void *header, size_t length, mnl_cb_t cb, struct search *s)
{
	int e = -EINTR;

	for (int i = 0; i < TRIES && e == -EINTR; i++)
		e = list_once(type, header, length, cb, s);
	return e;
}

/* Add the devices on top of those that are known, until there are no more. */
static int find_devices(struct search *s)
{
	const struct ifinfomsg all = {.ifi_family = AF_UNSPEC};
	size_t before;
	int e = 0, times = 0;

	do {
		before = s->devices.count;
		e = list(RTM_GETLINK, &all, sizeof(all), on_link, s);
	} while (!e && s->devices.count > before && ++times < NEST_MAX);
	return e;
}

/* Lists them twice: a group may come before its members. Kernels before 5.3 have none. */
static int find_next_hops(struct search *s)
{
	const struct nhmsg all = {.nh_family = AF_UNSPEC};
	int e = list(RTM_GETNEXTHOP, &all, sizeof(all), on_next_hop, s);

	if (!e && s->next_hops.count)
		e = list(RTM_GETNEXTHOP, &all, sizeof(all), on_next_hop, s);
	return e == -EOPNOTSUPP ? 0 : e;
}

static int find_route(struct search *s)
{
	static const unsigned char families[] = {AF_INET, AF_INET6};
	int e = 0;

	for (size_t i = 0; i < sizeof(families) && !e && !s->found; i++) {
		const struct rtmsg all = {.rtm_family = families[i]};

		e = list(RTM_GETROUTE, &all, sizeof(all), on_route, s);
	}
	return e;
}

/* *found: the device whose default route uses this interface; 0: none. Returns 0 or -errno. */
static int look(uint32_t ifindex, uint32_t *found)
{
	struct search s = {.found = 0};
	int e = add(&s.devices, ifindex, ifindex) == MNL_CB_OK ? 0 : -ENOMEM;

	if (!e)
		e = find_devices(&s);
	if (!e)
		e = find_next_hops(&s);
	if (!e)
		e = find_route(&s);
	free(s.devices.at);
	free(s.next_hops.at);
	*found = s.found;
	return s.found ? 0 : e;
}

int default_route_spare(const struct afxdp_options *o, const struct facts *f, char *err,
			size_t size)
{
	const char *how = o->engine == CAPTURE_ENGINE_DIVERT ? "engine=divert" : "after=drop";
	char has[IF_NAMESIZE + 32] = "has the default route", name[IF_NAMESIZE] = "";
	uint32_t found;
	int e;

	if (o->yes || o->no_received || !options_keep_frames(o))
		return 0;
	e = look(f->ifindex, &found);
	if (!e && !found)
		return 0;
	if (e)
		snprintf(has, sizeof(has), "may have the default route");
	else if (found != f->ifindex && if_indextoname(found, name))
		snprintf(has, sizeof(has), "carries the default route of %s", name);
	snprintf(err, size,
		 "%s %s, and %s keeps frames from the host: if that is meant, say yes=on",
		 o->ifname, has, how);
	return -EINVAL;
}
