/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Prints IPv4, IPv6 with its extension headers, and GRE. */
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <netinet/ip.h>

#include "line_parts.h"

#define IP4_HEADER    20u
#define IP4_FRAGMENT  0x1fffu
#define IP6_HEADER    40u
#define FRAGMENT_SIZE 8u
#define FRAGMENT_AT   0xfff8u

#define PROTOCOL_OSPF 89u
#define PROTOCOL_VRRP 112u

#define GRE_HEADER   4u
#define GRE_CHECKSUM 0x8000u
#define GRE_ROUTING  0x4000u
#define GRE_KEY	     0x2000u
#define GRE_SEQUENCE 0x1000u
#define GRE_VERSION  7u

/* Returns the length of the GRE header. */
static uint32_t gre_header(unsigned flags)
{
	uint32_t length = GRE_HEADER;

	if (flags & (GRE_CHECKSUM | GRE_ROUTING))
		length += 4;
	if (flags & GRE_KEY)
		length += 4;
	if (flags & GRE_SEQUENCE)
		length += 4;
	return length;
}

static void gre_payload(struct line *l, uint16_t protocol, struct part p)
{
	line_print(l, ": ");
	if (protocol < ETH_P_802_3_MIN) /* here it is no length */
		line_print(l, "ethertype 0x%04x, length %u", protocol, p.len);
	else
		line_next(l, protocol, p, p.len);
}

static void line_gre(struct line *l, const struct ends *e, struct part p)
{
	uint32_t header;
	unsigned flags;

	line_ends(l, e);
	if (!line_has(l, &p, GRE_HEADER, "gre"))
		return;
	flags = part_u16(&p, 0);
	header = gre_header(flags);
	line_print(l, "GREv%u", flags & GRE_VERSION);
	if (flags & GRE_VERSION) { /* what follows has another format */
		line_print(l, ", length %u", p.len);
		return;
	}
	if (!part_has(&p, header)) {
		line_print(l, " [|gre]");
		return;
	}
	if (flags & GRE_KEY)
		line_print(l, ", key=0x%x",
			   part_u32(&p, flags & (GRE_CHECKSUM | GRE_ROUTING) ? 8 : 4));
	line_print(l, ", length %u", p.len);
	gre_payload(l, part_u16(&p, 2), part_behind(p, header));
}

/* Print the protocol's name, and nothing of its header. */
static void print_other(struct line *l, unsigned protocol, uint32_t length)
{
	static const struct {
		unsigned number;
		const char *name;
	} names[] = {{IPPROTO_ESP, "ESP"},
		     {IPPROTO_AH, "AH"},
		     {IPPROTO_IGMP, "IGMP"},
		     {PROTOCOL_OSPF, "OSPF"},
		     {PROTOCOL_VRRP, "VRRP"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == protocol) {
			line_print(l, "%s, length %u", names[i].name, length);
			return;
		}
	line_print(l, "IP-proto-%u, length %u", protocol, length);
}

/* Print what is in the packet. ICMP is valid in IPv4 only, and ICMPv6 in IPv6 only. */
static void line_protocol(struct line *l, const struct ends *e, unsigned protocol, struct part p)
{
	bool is_ip4 = e->family == AF_INET;

	if (protocol == IPPROTO_TCP) {
		line_tcp(l, e, p);
	} else if (protocol == IPPROTO_UDP) {
		line_udp(l, e, p);
	} else if (protocol == IPPROTO_SCTP) {
		line_sctp(l, e, p);
	} else if (protocol == IPPROTO_ICMP && is_ip4) {
		line_icmp(l, e, p);
	} else if (protocol == IPPROTO_ICMPV6 && !is_ip4) {
		line_icmp6(l, e, p);
	} else if (protocol == IPPROTO_GRE) {
		line_gre(l, e, p);
	} else if (protocol == IPPROTO_IPIP || protocol == IPPROTO_IPV6) {
		line_ends(l, e);
		line_next(l, protocol == IPPROTO_IPIP ? ETH_P_IP : ETH_P_IPV6, p, p.len);
	} else if (protocol == IPPROTO_NONE) {
		line_ends(l, e);
		line_print(l, "no next header");
	} else {
		line_ends(l, e);
		print_other(l, protocol, p.len);
	}
}

static void ip4_payload(struct line *l, struct part p, uint32_t header)
{
	unsigned fragment = part_u16(&p, 6), protocol = p.at[9];
	struct ends e = {.family = AF_INET,
			 .from = p.at + 12,
			 .to = p.at + 16,
			 .is_fragment = (fragment & (IP_MF | IP4_FRAGMENT)) != 0};

	p = part_behind(p, header);
	if (!(fragment & IP4_FRAGMENT)) {
		line_protocol(l, &e, protocol, p);
		return;
	}
	line_ends(l, &e);
	line_print(l, "IP-proto-%u, length %u", protocol, p.len);
}

void line_ip4(struct line *l, struct part p)
{
	uint32_t header, length;

	if (!part_has(&p, IP4_HEADER)) {
		line_print(l, "IP [|ip]");
		return;
	}
	if (p.at[0] >> 4 != 4) {
		line_print(l, "IP%u%s (invalid)", p.at[0] >> 4,
			   p.at[0] >> 4 == 6 ? ", wrong link-layer encapsulation" : "");
		return;
	}
	line_print(l, "IP ");
	header = (p.at[0] & 0xfu) * 4;
	length = part_u16(&p, 2);
	if (!length) /* it is too long for the field: still to be segmented */
		length = p.len;
	if (header < IP4_HEADER) {
		line_print(l, "bad-hlen %u", header);
		return;
	}
	if (length < header) {
		line_print(l, "bad-len %u", length);
		return;
	}
	if (p.len < length)
		line_print(l, "truncated-ip - %u bytes missing! ", length - p.len);
	ip4_payload(l, part_of(p, length), header);
}

struct extension {
	unsigned protocol;
	const char *name, *word; /* to say that it is cut off; printed before what follows */
};

/* Returns NULL if the protocol is not an extension header. */
static const struct extension *extension_of(unsigned protocol)
{
	static const struct extension all[] = {{IPPROTO_HOPOPTS, "hbhopt", "HBH "},
					       {IPPROTO_DSTOPTS, "dstopt", "DSTOPT "},
					       {IPPROTO_ROUTING, "rt6", "RT6 "},
					       {IPPROTO_FRAGMENT, "frag6", ""}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].protocol == protocol)
			return &all[i];
	return NULL;
}

/* Returns the length of the header, or 0 if nothing after it can be read. */
static uint32_t line_extension(struct line *l, struct ends *e, unsigned protocol,
			       const struct part *p)
{
	uint32_t length = FRAGMENT_SIZE;

	if (protocol != IPPROTO_FRAGMENT && part_has(p, 2))
		length += p->at[1] * 8u;
	if (!line_deeper(l))
		return 0;
	if (!line_has(l, p, length, extension_of(protocol)->name))
		return 0;
	if (protocol != IPPROTO_FRAGMENT) {
		line_print(l, "%s", extension_of(protocol)->word);
		return length;
	}
	e->is_fragment = true;
	line_print(l, "frag (%u|%u)", part_u16(p, 2) & FRAGMENT_AT, p->len - FRAGMENT_SIZE);
	if (part_u16(p, 2) & FRAGMENT_AT)
		return 0;
	line_print(l, " ");
	return length;
}

static void ip6_payload(struct line *l, struct ends *e, unsigned protocol, struct part p)
{
	while (extension_of(protocol)) {
		uint32_t length;

		line_ends(l, e);
		e->are_told = true;
		length = line_extension(l, e, protocol, &p);
		if (!length)
			return;
		protocol = p.at[0];
		p = part_behind(p, length);
	}
	line_protocol(l, e, protocol, p);
}

void line_ip6(struct line *l, struct part p)
{
	struct ends e = {.family = AF_INET6};
	uint32_t length;

	line_print(l, "IP6 ");
	if (!line_has(l, &p, IP6_HEADER, "ip6"))
		return;
	if (p.at[0] >> 4 != 6) {
		line_print(l, "version error: %u != 6", p.at[0] >> 4);
		return;
	}
	e.from = p.at + 8;
	e.to = p.at + 24;
	length = IP6_HEADER + part_u16(&p, 4);
	/* A jumbogram has its length in an option. */
	if (length == IP6_HEADER && p.at[6] == IPPROTO_HOPOPTS)
		length = p.len;
	if (p.len < length)
		line_print(l, "truncated-ip6 - %u bytes missing! ", length - p.len);
	ip6_payload(l, &e, p.at[6], part_behind(part_of(p, length), IP6_HEADER));
}
