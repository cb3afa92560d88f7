/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Prints TCP, UDP, SCTP, and VXLAN, which is Ethernet in UDP. */
#include <linux/if_ether.h>
#include <netinet/tcp.h>

#include "line.h"
#include "line_parts.h"

#define PORTS_SIZE  4u
#define TCP_HEADER  20u
#define UDP_HEADER  8u
#define SCTP_HEADER 12u

#define VXLAN_PORT     4789
#define VXLAN_PORT_OLD 8472 /* Linux's, from before IANA gave a number */
#define GENEVE_PORT    6081
#define VXLAN_HEADER   8u

/* Print "A.1 > B.2: ", or "1 > 2: " if the line already has the addresses. Returns false if the
 * ports are cut off. */
static bool line_ports(struct line *l, const struct ends *e, const struct part *p)
{
	if (!part_has(p, PORTS_SIZE)) {
		line_ends(l, e);
		return false;
	}
	if (e->are_told) {
		line_print(l, "%u > %u: ", part_u16(p, 0), part_u16(p, 2));
		return true;
	}
	line_address(l, e->family, e->from);
	line_print(l, ".%u > ", part_u16(p, 0));
	line_address(l, e->family, e->to);
	line_print(l, ".%u: ", part_u16(p, 2));
	return true;
}

static void print_flags(struct line *l, unsigned flags)
{
	static const char letters[] = "FSRP.UEW";
	char text[sizeof(letters)];
	unsigned n = 0;

	for (unsigned i = 0; letters[i]; i++)
		if (flags & 1u << i)
			text[n++] = letters[i];
	text[n] = 0;
	line_print(l, "Flags [%s]", n ? text : "none");
}

/* Print the numbers as they are in the header. */
static void print_numbers(struct line *l, const struct part *p, uint32_t header)
{
	uint32_t length = p->len > header ? p->len - header : 0, sequence = part_u32(p, 4);
	unsigned flags = p->at[13];

	if (length)
		line_print(l, ", seq %u:%u", sequence, sequence + length);
	else if (flags & (TH_SYN | TH_FIN | TH_RST))
		line_print(l, ", seq %u", sequence);
	if (flags & TH_ACK)
		line_print(l, ", ack %u", part_u32(p, 8));
	line_print(l, ", win %u", part_u16(p, 14));
	if (flags & TH_URG)
		line_print(l, ", urg %u", part_u16(p, 18));
}

void line_tcp(struct line *l, const struct ends *e, struct part p)
{
	uint32_t header;

	if (!line_ports(l, e, &p) || !part_has(&p, TCP_HEADER)) {
		line_cut(l, "tcp");
		return;
	}
	header = (p.at[12] >> 4) * 4u;
	if (header < TCP_HEADER) {
		line_print(l, "tcp %u [bad hdr length %u - too short, < %u]", p.len - header,
			   header, TCP_HEADER);
		return;
	}
	print_flags(l, p.at[13]);
	if (l->more & LINE_NUMBERS)
		print_numbers(l, &p, header);
	if (header > p.len)
		line_print(l, " [bad hdr length %u - too long, > %u]", header, p.len);
	else
		line_print(l, ", length %u", p.len - header);
}

static void line_vxlan(struct line *l, struct part p)
{
	if (!part_has(&p, VXLAN_HEADER)) {
		line_print(l, "VXLAN [|vxlan]");
		return;
	}
	line_print(l, "VXLAN vni %u: ", part_u32(&p, 4) >> 8);
	line_next(l, ETH_P_TEB, part_behind(p, VXLAN_HEADER), 0);
}

/* The first of several fragments has fewer bytes than the header says. */
static void udp_length(struct line *l, const struct ends *e, uint32_t said, uint32_t have)
{
	if (said > have && !e->is_fragment)
		line_print(l, "UDP, bad length %u > %u", said, have);
	else
		line_print(l, "UDP, length %u", said);
}

void line_udp(struct line *l, const struct ends *e, struct part p)
{
	uint32_t length;

	if (!line_ports(l, e, &p)) {
		line_cut(l, "udp");
		return;
	}
	if (p.len < UDP_HEADER) {
		line_print(l, "truncated-udp %u", p.len);
		return;
	}
	if (!line_has(l, &p, UDP_HEADER, "udp"))
		return;
	length = part_u16(&p, 4);
	if (!length && p.len > UINT16_MAX) /* it is too long for the field */
		length = p.len;
	if (length < UDP_HEADER)
		line_print(l, "truncated-udplength %u", length);
	else if (part_u16(&p, 2) == VXLAN_PORT || part_u16(&p, 2) == VXLAN_PORT_OLD)
		line_vxlan(l, part_behind(p, UDP_HEADER));
	else if (part_u16(&p, 2) == GENEVE_PORT)
		line_print(l, "GENEVE, length %u", length - UDP_HEADER);
	else
		udp_length(l, e, length - UDP_HEADER, p.len - UDP_HEADER);
}

void line_sctp(struct line *l, const struct ends *e, struct part p)
{
	if (line_ports(l, e, &p) && part_has(&p, SCTP_HEADER))
		line_print(l, "SCTP, length %u", p.len - SCTP_HEADER);
	else
		line_cut(l, "sctp");
}
