/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "addresses.h"

#define ANSWER_MS 2000 /* for the list, which usually takes less than one */

struct key {
	uint32_t word[4];
};

static const struct key not_known; /* if in the map: incomplete */
static const uint32_t one = 1;

/* If a link has two ends, IFA_LOCAL is the host's own; for IPv6 it is often missing. */
static bool read_address(const struct nlmsghdr *h, struct key *key)
{
	const struct ifaddrmsg *m = mnl_nlmsg_get_payload(h);
	const struct nlattr *a, *found = NULL;
	size_t size = m->ifa_family == AF_INET ? 4 : 16;

	mnl_attr_for_each(a, h, sizeof(*m))
	{
		if (mnl_attr_get_payload_len(a) != size)
			continue;
		if (mnl_attr_get_type(a) == IFA_LOCAL ||
		    (mnl_attr_get_type(a) == IFA_ADDRESS && !found))
			found = a;
	}
	if (!found || (m->ifa_family != AF_INET && m->ifa_family != AF_INET6))
		return false;
	*key = (struct key){{0, 0, htonl(0xffff), 0}};
	memcpy(size == 4 ? &key->word[3] : key->word, mnl_attr_get_payload(found), size);
	return true;
}

/* If the map is full of addresses, one of them makes room for the mark. */
static int mark_not_known(const struct addresses *a)
{
	struct key key;

	if (bpf_map_update_elem(a->map, &not_known, &one, BPF_ANY) == 0)
		return 0;
	if (bpf_map_get_next_key(a->map, NULL, &key) == 0)
		bpf_map_delete_elem(a->map, &key);
	return bpf_map_update_elem(a->map, &not_known, &one, BPF_ANY) ? -errno : 0;
}

static void take_address(struct addresses *a, const struct nlmsghdr *h)
{
	struct key key;

	if (!read_address(h, &key))
		return;
	if (h->nlmsg_type == RTM_NEWADDR) {
		if (bpf_map_update_elem(a->map, &key, &one, BPF_ANY) == 0)
			return;
		a->full = true;
		mark_not_known(a);
		return;
	}
	mark_not_known(a); /* until the list tells whether another interface has the address */
	bpf_map_delete_elem(a->map, &key);
	a->again = true;
}

/* The kernel answers one request at a time. */
static int ask(struct addresses *a)
{
	char buf[MNL_SOCKET_BUFFER_SIZE];
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct ifaddrmsg *m;

	h->nlmsg_type = RTM_GETADDR;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	m = mnl_nlmsg_put_extra_header(h, sizeof(*m));
	m->ifa_family = AF_UNSPEC;
	if (mark_not_known(a) || mnl_socket_sendto(a->socket, h, h->nlmsg_len) < 0)
		return -errno;
	a->asked = true;
	a->again = a->full = false;
	return 0;
}

static void take_all(struct addresses *a, const struct nlmsghdr *h, int n)
{
	for (; mnl_nlmsg_ok(h, n); h = mnl_nlmsg_next(h, &n)) {
		a->again |= (h->nlmsg_flags & NLM_F_DUMP_INTR) != 0; /* the list changed */
		switch (h->nlmsg_type) {
		case RTM_NEWADDR:
		case RTM_DELADDR:
			take_address(a, h);
			break;
		case NLMSG_DONE:
			a->asked = false;
			if (!a->again && !a->full)
				bpf_map_delete_elem(a->map, &not_known);
			break;
		case NLMSG_ERROR:
			a->asked = false;
			break;
		}
	}
}

/* Some notices were lost: take the addresses that are there now. */
static void begin_anew(struct addresses *a)
{
	const struct key *behind = NULL;
	struct key key;

	mark_not_known(a);
	while (bpf_map_get_next_key(a->map, behind, &key) == 0)
		if (memcmp(&key, &not_known, sizeof(key)) == 0)
			behind = &not_known;
		else if (bpf_map_delete_elem(a->map, &key))
			break;
	a->again = true;
}

static void read_all(struct addresses *a)
{
	char buf[MNL_SOCKET_BUFFER_SIZE];
	ssize_t n;

	while ((n = mnl_socket_recvfrom(a->socket, buf, sizeof(buf))) > 0 || errno == ENOBUFS ||
	       errno == ENOSPC)
		if (n < 0)
			begin_anew(a);
		else
			take_all(a, (const struct nlmsghdr *)buf, (int)n);
}

/* A request made at the end makes the socket readable again. */
void addresses_hear(struct addresses *a)
{
	for (unsigned i = 0; i < 2; i++) {
		read_all(a);
		if (!a->again || a->asked || ask(a))
			return;
	}
}

int addresses_fd(const struct addresses *a)
{
	return a->socket ? mnl_socket_get_fd(a->socket) : -1;
}

int addresses_open(struct addresses *a, int map)
{
	uint32_t value;
	struct pollfd p;
	int e;

	*a = (struct addresses){.map = map};
	if (bpf_map_update_elem(map, &not_known, &one, BPF_ANY))
		return -errno;
	a->socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (!a->socket)
		return -errno;
	e = mnl_socket_bind(a->socket, RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR, MNL_SOCKET_AUTOPID)
		    ? -errno
		    : ask(a);
	p = (struct pollfd){.fd = addresses_fd(a), .events = POLLIN};
	while (!e && bpf_map_lookup_elem(map, &not_known, &value) == 0 &&
	       poll(&p, 1, ANSWER_MS) > 0)
		addresses_hear(a);
	if (e)
		addresses_close(a);
	return e;
}

void addresses_close(struct addresses *a)
{
	if (a->socket)
		mnl_socket_close(a->socket);
	a->socket = NULL;
}
