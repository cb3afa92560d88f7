/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Prints ICMP, and ICMPv6 with neighbor discovery and multicast listener discovery. */
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>

#include "line_parts.h"

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

#define HEADER	   8u /* of both; each type defines the second half */
#define IP4_HEADER 20u
#define IP4_TO	   16u
#define IP6_HEADER 40u
#define IP6_TO	   24u
#define ADDRESS6   16u
/* A query that is longer than in version 1 is of version 2. */
#define MLD2_QUERY  28u
#define MLD2_REPORT 143

/* The packet that a message quotes: of IPv4, where its whole header is there. */
struct quoted {
	const uint8_t *at, *payload;
	bool has_ports;
};

static bool quote4(struct quoted *q, const struct part *p)
{
	uint32_t header;

	if (!part_has(p, HEADER + IP4_HEADER))
		return false;
	q->at = p->at + HEADER;
	header = (q->at[0] & 0xfu) * 4;
	q->payload = q->at + header;
	q->has_ports = part_has(p, HEADER + header + 4);
	return true;
}

/* Print the destination port, with the protocol's name. */
static void print_port(struct line *l, unsigned protocol, const uint8_t *ports)
{
	if (protocol == IPPROTO_TCP || protocol == IPPROTO_UDP)
		line_print(l, " %s", protocol == IPPROTO_TCP ? "tcp" : "udp");
	else
		line_print(l, " protocol %u", protocol);
	line_print(l, " port %u", ports[2] << 8 | ports[3]);
}

static bool unreachable_port(struct line *l, const struct quoted *q)
{
	if (!q->has_ports)
		return false;
	line_address(l, AF_INET, q->at + IP4_TO);
	print_port(l, q->at[9], q->payload);
	line_print(l, " unreachable");
	return true;
}

static void unreachable_other(struct line *l, unsigned code, const uint8_t *to)
{
	/* What stands in front of the address, and behind it. */
	static const struct {
		const char *before, *behind;
	} codes[] = {
		[ICMP_NET_UNREACH] = {"net ", ""},
		[ICMP_HOST_UNREACH] = {"host ", ""},
		[ICMP_SR_FAILED] = {"", " - source route failed"},
		[ICMP_NET_UNKNOWN] = {"net ", " - unknown"},
		[ICMP_HOST_UNKNOWN] = {"host ", " - unknown"},
		[ICMP_HOST_ISOLATED] = {"", " - source host isolated"},
		[ICMP_NET_ANO] = {"net ", " - admin prohibited"},
		[ICMP_HOST_ANO] = {"host ", " - admin prohibited"},
		[ICMP_NET_UNR_TOS] = {"net ", " - tos prohibited"},
		[ICMP_HOST_UNR_TOS] = {"host ", " - tos prohibited"},
		[ICMP_PKT_FILTERED] = {"host ", " - admin prohibited filter"},
		[ICMP_PREC_VIOLATION] = {"host ", " - host precedence violation"},
		[ICMP_PREC_CUTOFF] = {"host ", " - precedence cutoff"},
	};
	bool known = code < COUNT(codes) && codes[code].before;

	line_print(l, "%s", known ? codes[code].before : "");
	line_address(l, AF_INET, to);
	line_print(l, " unreachable%s", known ? codes[code].behind : "");
	if (!known)
		line_print(l, " - #%u", code);
}

/* Like those below, returns false if what it should print is cut off. */
static bool icmp_unreachable(struct line *l, const struct part *p)
{
	unsigned code = p->at[1], mtu = part_u16(p, 6);
	struct quoted q;

	if (!quote4(&q, p))
		return false;
	if (code == ICMP_PORT_UNREACH)
		return unreachable_port(l, &q);
	if (code != ICMP_PROT_UNREACH && code != ICMP_FRAG_NEEDED) {
		unreachable_other(l, code, q.at + IP4_TO);
		return true;
	}
	line_address(l, AF_INET, q.at + IP4_TO);
	if (code == ICMP_PROT_UNREACH)
		line_print(l, " protocol %u unreachable", q.at[9]);
	else
		line_print(l, " unreachable - need to frag");
	if (code == ICMP_FRAG_NEEDED && mtu)
		line_print(l, " (mtu %u)", mtu);
	return true;
}

static bool icmp_redirect(struct line *l, const struct part *p)
{
	static const char *const kinds[] = {"redirect", "redirect", "redirect-tos", "redirect-tos"};
	static const char *const to[] = {"net ", "host ", "net ", "host "};
	unsigned code = p->at[1];
	struct quoted q;

	if (!quote4(&q, p))
		return false;
	if (code < COUNT(kinds))
		line_print(l, "%s ", kinds[code]);
	else
		line_print(l, "redirect-#%u ", code);
	line_address(l, AF_INET, q.at + IP4_TO);
	line_print(l, " to %s", code < COUNT(to) ? to[code] : "");
	line_address(l, AF_INET, p->at + 4);
	return true;
}

static bool icmp_time_exceeded(struct line *l, const struct part *p)
{
	unsigned code = p->at[1];

	if (code == ICMP_EXC_TTL)
		line_print(l, "time exceeded in-transit");
	else if (code == ICMP_EXC_FRAGTIME)
		line_print(l, "ip reassembly time exceeded");
	else
		line_print(l, "time exceeded-#%u", code);
	return true;
}

static bool icmp_parameter(struct line *l, const struct part *p)
{
	if (p->at[1])
		line_print(l, " - code %u", p->at[1]);
	else
		line_print(l, " - octet %u", p->at[4]);
	return true;
}

static bool icmp_echo(struct line *l, const struct part *p)
{
	line_print(l, ", id %u, seq %u", part_u16(p, 4), part_u16(p, 6));
	return true;
}

/* By type: what it is, and what its header says beyond that. */
struct icmp_type {
	const char *word;
	bool (*more)(struct line *l, const struct part *p);
};

static const struct icmp_type icmp_types[UINT8_MAX + 1] = {
	[ICMP_ECHOREPLY] = {"echo reply", icmp_echo},
	[ICMP_DEST_UNREACH] = {"", icmp_unreachable},
	[ICMP_SOURCE_QUENCH] = {"source quench", NULL},
	[ICMP_REDIRECT] = {"", icmp_redirect},
	[ICMP_ECHO] = {"echo request", icmp_echo},
	[ICMP_TIME_EXCEEDED] = {"", icmp_time_exceeded},
	[ICMP_PARAMETERPROB] = {"parameter problem", icmp_parameter},
};

/* Returns false if the message is cut off. */
static bool print_type(struct line *l, const struct icmp_type types[UINT8_MAX + 1],
		       const struct part *p)
{
	const struct icmp_type *t = &types[p->at[0]];

	if (t->word)
		line_print(l, "%s", t->word);
	else
		line_print(l, "type-#%u", p->at[0]);
	if (!part_has(p, HEADER) || (t->more && !t->more(l, p)))
		return false;
	line_print(l, ", length %u", p->len);
	return true;
}

/* If the packet that a message quotes is cut off, the line says that the message is. */
void line_icmp(struct line *l, const struct ends *e, struct part p)
{
	size_t before;

	line_ends(l, e);
	before = l->used;
	line_print(l, "ICMP ");
	if (p.caplen && print_type(l, icmp_types, &p))
		return;
	l->used = before;
	line_cut(l, "icmp");
}

static bool icmp6_unreachable(struct line *l, const struct part *p)
{
	static const char *const codes[] = {"unreachable route ", "unreachable prohibited ",
					    "beyond scope ", "unreachable address ",
					    "unreachable port, "};
	const uint8_t *quoted = p->at + HEADER;
	unsigned code = p->at[1];

	if (code >= COUNT(codes)) {
		line_print(l, ", unknown unreach code (%u)", code);
		return true;
	}
	line_print(l, ", %s", codes[code]);
	if (!part_has(p, HEADER + IP6_HEADER + (code == ICMP6_DST_UNREACH_NOPORT ? 4 : 0)))
		return false;
	line_address(l, AF_INET6, quoted + IP6_TO);
	if (code == ICMP6_DST_UNREACH_NOPORT)
		print_port(l, quoted[6], quoted + IP6_HEADER);
	return true;
}

static bool icmp6_time_exceeded(struct line *l, const struct part *p)
{
	unsigned code = p->at[1];

	if (code == ICMP6_TIME_EXCEED_REASSEMBLY) {
		line_print(l, " (reassembly)");
		return true;
	}
	if (code) {
		line_print(l, ", unknown code (%u)", code);
		return true;
	}
	if (!part_has(p, HEADER + IP6_HEADER))
		return false;
	line_print(l, " for ");
	line_address(l, AF_INET6, p->at + HEADER + IP6_TO);
	return true;
}

static bool icmp6_parameter(struct line *l, const struct part *p)
{
	static const char *const codes[] = {"erroneous", "next header", "option",
					    "incomplete header chain"};
	unsigned code = p->at[1];

	if (code < COUNT(codes))
		line_print(l, ", %s - octet %u", codes[code], part_u32(p, 4));
	else
		line_print(l, ", code-#%u", code);
	return true;
}

/* Print the words, then the address that follows the header. */
static bool icmp6_address(struct line *l, const struct part *p, const char *words)
{
	if (!part_has(p, HEADER + ADDRESS6))
		return false;
	line_print(l, "%s", words);
	line_address(l, AF_INET6, p->at + HEADER);
	return true;
}

static bool icmp6_redirect(struct line *l, const struct part *p)
{
	if (!part_has(p, HEADER + 2 * ADDRESS6))
		return false;
	line_print(l, ", ");
	line_address(l, AF_INET6, p->at + HEADER + ADDRESS6);
	line_print(l, " to ");
	line_address(l, AF_INET6, p->at + HEADER);
	return true;
}

static bool icmp6_listener(struct line *l, const struct part *p)
{
	if (p->at[0] == MLD2_REPORT) {
		line_print(l, " v2, %u group record(s)", part_u16(p, 6));
		return true;
	}
	if (p->at[0] != MLD_LISTENER_QUERY || p->len < MLD2_QUERY) {
		line_print(l, " max resp delay: %u", part_u16(p, 4));
		return icmp6_address(l, p, " addr: ");
	}
	if (!icmp6_address(l, p, " v2 [gaddr "))
		return false;
	line_print(l, "]");
	return true;
}

static bool icmp6_size(struct line *l, const struct part *p)
{
	line_print(l, ", mtu %u", part_u32(p, 4));
	return true;
}

static bool icmp6_solicit(struct line *l, const struct part *p)
{
	return icmp6_address(l, p, ", who has ");
}

static bool icmp6_advert(struct line *l, const struct part *p)
{
	return icmp6_address(l, p, ", tgt is ");
}

static const struct icmp_type icmp6_types[UINT8_MAX + 1] = {
	[ICMP6_DST_UNREACH] = {"destination unreachable", icmp6_unreachable},
	[ICMP6_PACKET_TOO_BIG] = {"packet too big", icmp6_size},
	[ICMP6_TIME_EXCEEDED] = {"time exceeded in-transit", icmp6_time_exceeded},
	[ICMP6_PARAM_PROB] = {"parameter problem", icmp6_parameter},
	[ICMP6_ECHO_REQUEST] = {"echo request", icmp_echo},
	[ICMP6_ECHO_REPLY] = {"echo reply", icmp_echo},
	[MLD_LISTENER_QUERY] = {"multicast listener query", icmp6_listener},
	[MLD_LISTENER_REPORT] = {"multicast listener report", icmp6_listener},
	[MLD2_REPORT] = {"multicast listener report", icmp6_listener},
	[MLD_LISTENER_REDUCTION] = {"multicast listener done", icmp6_listener},
	[ND_ROUTER_SOLICIT] = {"router solicitation", NULL},
	[ND_ROUTER_ADVERT] = {"router advertisement", NULL},
	[ND_NEIGHBOR_SOLICIT] = {"neighbor solicitation", icmp6_solicit},
	[ND_NEIGHBOR_ADVERT] = {"neighbor advertisement", icmp6_advert},
	[ND_REDIRECT] = {"redirect", icmp6_redirect},
};

void line_icmp6(struct line *l, const struct ends *e, struct part p)
{
	line_ends(l, e);
	if (!line_has(l, &p, 1, "icmp6"))
		return;
	line_print(l, "ICMP6, ");
	if (print_type(l, icmp6_types, &p))
		return;
	line_print(l, " ");
	line_cut(l, "icmp6");
}
