/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap-afxdp-list.c: Lists interfaces as devices "xdp:IFACE".
 */
#include <config.h>

#include <errno.h>
#include <linux/if_packet.h>
#include <linux/types.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcap-int.h"
#include "pcap-afxdp.h"
#include "pcap-afxdp-int.h"

#include "afxdpcapture.h"

/*
 * libpcap sorts the list by flags when a device is added: no device sorts
 * behind one that has these.
 */
#define BEHIND_ALL (PCAP_IF_LOOPBACK | PCAP_IF_CONNECTION_STATUS_DISCONNECTED)

static size_t
address_size(const struct sockaddr *a)
{
	switch (a ? a->sa_family : AF_UNSPEC) {
	case AF_INET:
		return sizeof(struct sockaddr_in);
	case AF_INET6:
		return sizeof(struct sockaddr_in6);
	case AF_PACKET:
		return sizeof(struct sockaddr_ll);
	default:
		return sizeof(struct sockaddr);
	}
}

static int
copy_addresses(pcap_if_t *device, const pcap_if_t *ordinary, char *errbuf)
{
	int status = 0;

	/* The family of a netmask may be unset: it has the size of its
	 * address. */
	for (const pcap_addr_t *a = ordinary->addresses; a && !status;
	     a = a->next)
		status =
		    pcapint_add_addr_to_dev(device, a->addr,
					    address_size(a->addr), a->netmask,
					    address_size(a->addr), a->broadaddr,
					    address_size(a->broadaddr),
					    a->dstaddr,
					    address_size(a->dstaddr), errbuf);
	return status;
}

/* Add "xdp:IFACE" for an interface that is already listed. */
static int
add_interface(pcap_if_list_t *list, const char *ifname, char *errbuf)
{
	char name[sizeof(AFXDP_PREFIX) + 2 * IFNAMSIZ], description[64], *at;
	pcap_if_t *ordinary = pcapint_find_dev(list, ifname), *device;

	/* if_nameindex() may name what libpcap does not list. */
	if (!ordinary)
		return 0;
	at = name + snprintf(name, sizeof(name), AFXDP_PREFIX);
	for (const char *from = ifname; *from; *at++ = *from++)
		if (*from == ',') /* a comma begins the options unless a
				     backslash precedes it */
			*at++ = '\\';
	*at = '\0';
	snprintf(description, sizeof(description), "%s at the XDP layer",
		 ifname);
	device = pcapint_add_dev(list, name, BEHIND_ALL, description, errbuf);
	if (!device)
		return -1;
	device->flags = ordinary->flags;
	return copy_addresses(device, ordinary, errbuf);
}

/*
 * Adds devices only with PCAP_AFXDP_LIST=1 in the environment, because
 * Wireshark opens every device that is listed, and opening one of these
 * attaches an XDP program.
 */
int
pcap_afxdp_findalldevs(pcap_if_list_t *list, char *errbuf)
{
	const char *wanted = getenv("PCAP_AFXDP_LIST");
	struct if_nameindex *all;
	int status = 0;

	if (!wanted || strcmp(wanted, "1") != 0)
		return 0;
	all = if_nameindex();
	if (!all) {
		pcapint_fmt_errmsg_for_errno(errbuf, PCAP_ERRBUF_SIZE, errno,
					     "if_nameindex");
		return -1;
	}
	for (struct if_nameindex *i = all; i->if_index && !status; i++)
		status = add_interface(list, i->if_name, errbuf);
	if_freenameindex(all);
	return status;
}
