/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Goes from header to header, and prints those before IP: Ethernet, VLAN tags, ARP, MPLS. */
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <stdio.h>
#include <string.h>

#include "line.h"
#include "line_parts.h"

#define TAG_SIZE	  4u
#define TAG_ID		  0xfffu
#define LABEL_SIZE	  4u
#define LABEL_LAST	  0x100u /* of its stack */
#define COOKED_SIZE	  20u	 /* of LINUX_SLL2 */
#define PPPOE_HEADER	  6u
#define ARP_SIZE	  28u /* of Ethernet and IPv4 */
#define ETH_P_8021Q_OLD	  0x9100
#define ETH_P_8021Q_OLDER 0x9200

static void print_hardware(struct line *l, const uint8_t *a)
{
	line_print(l, "%02x:%02x:%02x:%02x:%02x:%02x", a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void print_request(struct line *l, const uint8_t *sender, const uint8_t *target)
{
	static const uint8_t unknown[ETH_ALEN];

	line_print(l, "Request who-has ");
	line_address(l, AF_INET, target + ETH_ALEN);
	if (memcmp(target, unknown, ETH_ALEN) != 0) {
		line_print(l, " (");
		print_hardware(l, target);
		line_print(l, ")");
	}
	line_print(l, " tell ");
	line_address(l, AF_INET, sender + ETH_ALEN);
}

/* Print an ARP request or reply for Ethernet and IPv4 addresses. */
static void print_arp(struct line *l, unsigned operation, const uint8_t *sender)
{
	const uint8_t *target = sender + ETH_ALEN + 4;

	switch (operation) {
	case ARPOP_REQUEST:
		print_request(l, sender, target);
		break;
	case ARPOP_REPLY:
		line_print(l, "Reply ");
		line_address(l, AF_INET, sender + ETH_ALEN);
		line_print(l, " is-at ");
		print_hardware(l, sender);
		break;
	case ARPOP_RREQUEST:
		line_print(l, "Reverse Request who-is ");
		print_hardware(l, target);
		line_print(l, " tell ");
		print_hardware(l, sender);
		break;
	case ARPOP_RREPLY:
		line_print(l, "Reverse Reply ");
		print_hardware(l, target);
		line_print(l, " at ");
		line_address(l, AF_INET, target + ETH_ALEN);
		break;
	default:
		line_print(l, "Unknown (%u)", operation);
	}
}

static void line_arp(struct line *l, struct part p)
{
	bool known;

	if (!line_has(l, &p, sizeof(struct arphdr), "arp"))
		return;
	known = part_u16(&p, 2) == ETH_P_IP && p.at[4] == ETH_ALEN && p.at[5] == 4;
	if (known && !line_has(l, &p, ARP_SIZE, "arp"))
		return;
	line_print(l, "ARP, ");
	if (known)
		print_arp(l, part_u16(&p, 6), p.at + sizeof(struct arphdr));
	else
		line_print(l, "hardware %u, protocol 0x%04x, operation %u", part_u16(&p, 0),
			   part_u16(&p, 2), part_u16(&p, 6));
	line_print(l, ", length %u", p.len);
}

static void line_vlan(struct line *l, struct part p, uint32_t frame)
{
	if (!line_has(l, &p, TAG_SIZE, "vlan"))
		return;
	line_print(l, "vlan %u, ", part_u16(&p, 0) & TAG_ID);
	line_next(l, part_u16(&p, 2), part_behind(p, TAG_SIZE), frame);
}

/* MPLS does not say what it carries. If it looks like an IP packet, print it as one. */
static void line_mpls(struct line *l, struct part p, uint32_t frame)
{
	uint32_t label = 0;

	line_print(l, "MPLS ");
	while (!(label & LABEL_LAST)) {
		if (!line_has(l, &p, LABEL_SIZE, "mpls"))
			return;
		if (!line_deeper(l))
			return;
		label = part_u32(&p, 0);
		line_print(l, "(label %u, tc %u, %sttl %u) ", label >> 12, label >> 9 & 7,
			   label & LABEL_LAST ? "[S], " : "", label & 0xff);
		p = part_behind(p, LABEL_SIZE);
	}
	if (!p.caplen)
		line_cut(l, "mpls");
	else if (p.at[0] >> 4 == 4 || p.at[0] >> 4 == 6)
		line_next(l, p.at[0] >> 4 == 4 ? ETH_P_IP : ETH_P_IPV6, p, frame);
	else
		line_print(l, "length %u", p.len);
}

static void print_ethernet(struct line *l, const struct part *p)
{
	uint16_t type = part_u16(p, 12);

	print_hardware(l, p->at + ETH_ALEN);
	line_print(l, " > ");
	print_hardware(l, p->at);
	if (type < ETH_P_802_3_MIN) /* it is a length, which comes next */
		line_print(l, ", ");
	else
		line_print(l, ", ethertype 0x%04x, length %u: ", type, p->len);
}

static void line_pppoe(struct line *l, const char *what, struct part p)
{
	if (line_has(l, &p, PPPOE_HEADER, "pppoe"))
		line_print(l, "PPPoE %s, session %u, length %u", what, part_u16(&p, 2),
			   p.len - PPPOE_HEADER);
}

static void line_ethernet(struct line *l, struct part p)
{
	if (!line_has(l, &p, ETH_HLEN, "ether"))
		return;
	if (l->more & LINE_HARDWARE)
		print_ethernet(l, &p);
	line_next(l, part_u16(&p, 12), part_behind(p, ETH_HLEN), p.len);
}

/* The protocol comes first. */
static void line_cooked(struct line *l, struct part p)
{
	if (line_has(l, &p, COOKED_SIZE, "sll2"))
		line_next(l, part_u16(&p, 0), part_behind(p, COOKED_SIZE), p.len - COOKED_SIZE);
}

static void line_of_type(struct line *l, uint16_t type, struct part p, uint32_t frame)
{
	switch (type) {
	case ETH_P_TEB:
		line_ethernet(l, p);
		break;
	case ETH_P_IP:
		line_ip4(l, p);
		break;
	case ETH_P_IPV6:
		line_ip6(l, p);
		break;
	case ETH_P_ARP:
	case ETH_P_RARP:
		line_arp(l, p);
		break;
	case ETH_P_8021Q:
	case ETH_P_8021AD:
	case ETH_P_8021Q_OLD:
	case ETH_P_8021Q_OLDER:
		line_vlan(l, p, frame);
		break;
	case ETH_P_PPP_DISC:
		line_pppoe(l, "discovery", p);
		break;
	case ETH_P_PPP_SES:
		line_pppoe(l, "data", p);
		break;
	case ETH_P_MPLS_UC:
	case ETH_P_MPLS_MC:
		line_mpls(l, p, frame);
		break;
	default:
		if (type < ETH_P_802_3_MIN) /* it is a length */
			line_print(l, "802.3, length %u", type);
		else
			line_print(l, "ethertype 0x%04x, length %u", type, frame);
	}
}

size_t line_of_frame(char *to, size_t room, enum line_link link, unsigned more,
		     const uint8_t *frame, uint32_t caplen, uint32_t len)
{
	struct line l = {.at = to, .room = room, .more = more};
	struct part p = {.at = frame, .caplen = caplen < len ? caplen : len, .len = len};
	bool is_ip6 = p.caplen && frame[0] >> 4 == 6;

	to[0] = 0;
	if (link == LINE_COOKED)
		line_cooked(&l, p);
	else
		line_next(&l,
			  link == LINE_ETHERNET ? ETH_P_TEB
			  : is_ip6		? ETH_P_IPV6
						: ETH_P_IP,
			  p, len);
	while (l.has_next && line_deeper(&l)) {
		l.has_next = false;
		line_of_type(&l, l.type, l.next, l.frame);
	}
	if (l.used < room)
		return l.used;
	snprintf(room > 4 ? to + room - 4 : to, room > 4 ? 4 : room, "...");
	return room - 1;
}
