/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <stddef.h>

#include "pcapng/format.h"
#include "pcapng/packet_ends.h"
#include "pcapng/part.h"

#define TAG_SIZE	  4u
#define TAG_ID		  0xfffu
#define ETH_P_8021Q_OLD	  0x9100
#define ETH_P_8021Q_OLDER 0x9200
#define IP4_HEADER	  20u
#define IP4_FRAGMENT	  0x1fffu
#define IP6_HEADER	  40u
#define IP6_FRAGMENT	  0xfff8u
#define EXTENSION_SIZE	  8u
#define EXTENSIONS_MAX	  8
#define PORTS_SIZE	  4u
#define FLAGS_AT	  13u

static bool is_tag(uint16_t type)
{
	return type == ETH_P_8021Q || type == ETH_P_8021AD || type == ETH_P_8021Q_OLD ||
	       type == ETH_P_8021Q_OLDER;
}

static void read_type(struct packet_ends *e, uint16_t type)
{
	e->has_type = true;
	e->type = type;
}

static struct part read_tags(struct packet_ends *e, struct part p)
{
	while (e->has_type && is_tag(e->type) && e->tags < ENDS_TAGS_MAX) {
		e->has_type = part_has(&p, TAG_SIZE);
		if (!e->has_type)
			break;
		e->tag[e->tags++] = part_u16(&p, 0) & TAG_ID;
		e->type = part_u16(&p, 2);
		p = part_behind(p, TAG_SIZE);
	}
	return p;
}

/* Read the link header and the VLAN tags; returns what follows them. */
static struct part read_link(struct packet_ends *e, uint16_t link_type, struct part p)
{
	static const struct {
		uint16_t type;
		uint32_t header, type_at;
	} links[] = {{LINKTYPE_ETHERNET, ETH_HLEN, 12},
		     {LINKTYPE_LINUX_SLL, 16, 14},
		     {LINKTYPE_LINUX_SLL2, 20, 0}};

	if (link_type == LINKTYPE_RAW && part_has(&p, 1))
		read_type(e, p.at[0] >> 4 == 6 ? ETH_P_IPV6 : ETH_P_IP);
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		if (links[i].type != link_type || !part_has(&p, links[i].header))
			continue;
		if (link_type == LINKTYPE_ETHERNET)
			e->hardware = p.at;
		read_type(e, part_u16(&p, links[i].type_at));
		return read_tags(e, part_behind(p, links[i].header));
	}
	return p;
}

static void read_ports(struct packet_ends *e, struct part p)
{
	bool has = e->protocol == IPPROTO_TCP || e->protocol == IPPROTO_UDP ||
		   e->protocol == IPPROTO_SCTP || e->protocol == IPPROTO_DCCP ||
		   e->protocol == IPPROTO_UDPLITE;

	if (!has || !part_has(&p, PORTS_SIZE))
		return;
	e->has_ports = true;
	e->from_port = part_u16(&p, 0);
	e->to_port = part_u16(&p, 2);
	e->has_flags = e->protocol == IPPROTO_TCP && part_has(&p, FLAGS_AT + 1);
	if (e->has_flags)
		e->flags = p.at[FLAGS_AT];
}

static void read_ip4(struct packet_ends *e, struct part p)
{
	uint32_t header;

	if (!part_has(&p, IP4_HEADER) || p.at[0] >> 4 != 4)
		return;
	header = (p.at[0] & 0xfu) * 4;
	if (header < IP4_HEADER)
		return;
	e->family = AF_INET;
	e->from = p.at + 12;
	e->to = p.at + 16;
	e->protocol = p.at[9];
	e->is_fragment = (part_u16(&p, 6) & (IP_MF | IP4_FRAGMENT)) != 0;
	if (!(part_u16(&p, 6) & IP4_FRAGMENT))
		read_ports(e, part_behind(p, header));
}

static bool is_extension(unsigned protocol)
{
	return protocol == IPPROTO_HOPOPTS || protocol == IPPROTO_DSTOPTS ||
	       protocol == IPPROTO_ROUTING || protocol == IPPROTO_FRAGMENT;
}

static void read_ip6(struct packet_ends *e, struct part p)
{
	if (!part_has(&p, IP6_HEADER) || p.at[0] >> 4 != 6)
		return;
	e->family = AF_INET6;
	e->from = p.at + 8;
	e->to = p.at + 24;
	e->protocol = p.at[6];
	p = part_behind(p, IP6_HEADER);
	for (unsigned i = 0; is_extension(e->protocol); i++) {
		bool fragment = e->protocol == IPPROTO_FRAGMENT;

		if (i == EXTENSIONS_MAX || !part_has(&p, EXTENSION_SIZE))
			return;
		e->protocol = p.at[0];
		e->is_fragment |= fragment;
		if (fragment && part_u16(&p, 2) & IP6_FRAGMENT)
			return; /* a later fragment: no header follows */
		p = part_behind(p, fragment ? EXTENSION_SIZE : EXTENSION_SIZE + p.at[1] * 8u);
	}
	read_ports(e, p);
}

void packet_ends(struct packet_ends *e, uint16_t link_type, const uint8_t *frame, uint32_t caplen,
		 uint32_t len)
{
	struct part p = {.at = frame, .caplen = caplen < len ? caplen : len, .len = len};

	*e = (struct packet_ends){.hardware = NULL};
	p = read_link(e, link_type, p);
	if (e->has_type && e->type == ETH_P_IP)
		read_ip4(e, p);
	else if (e->has_type && e->type == ETH_P_IPV6)
		read_ip6(e, p);
}
