/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <ctype.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/harmless.h"
#include "util/json.h"
#include "entries.h"
#include "label.h"
#include "line.h"
#include "packet_text.h"
#include "xdpdump/spaces/news.h"
#include "xdpdump/os/netns.h"
#include "pcapng/packet_ends.h"
#include "pcapng/packet_options.h"
#include "xdpdump/source/members.h"
#include "xdpdump/source/source.h"

#define HEX_BYTES_PER_LINE 16
#define HEX_LINE_SIZE	   80
#define LINE_SIZE	   (512 + LINE_MAX) /* numbers and words; names are added to it */

#define PLAIN  "\033[0m"
#define DIM    "\033[2m"
#define RED    "\033[31m"
#define GREEN  "\033[32m"
#define YELLOW "\033[33m"
#define CYAN   "\033[36m"

/* Indexed by source_link(). */
static const enum line_link links[] = {LINE_ETHERNET, LINE_RAW_IP, LINE_COOKED};

struct text {
	char *at;
	size_t used, room;
};

__attribute__((format(printf, 2, 3))) static void print(struct text *t, const char *format, ...)
{
	size_t n, left = t->room - t->used;
	va_list args;

	va_start(args, format);
	n = (size_t)vsnprintf(t->at + t->used, left, format, args);
	va_end(args);
	t->used += n < left ? n : left - 1;
}

static void put(struct text *t, const char *text)
{
	size_t n = strlen(text), left = t->room - t->used;

	if (n >= left)
		n = left - 1;
	memcpy(t->at + t->used, text, n);
	t->used += n;
	t->at[t->used] = 0;
}

static void print_name(struct text *t, const char *name)
{
	size_t from = t->used;

	put(t, name);
	harmless(t->at + from);
}

bool packet_text_in_color(enum color c)
{
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (c != COLOR_AUTO)
		return c == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no && *no) &&
	       !(terminal && strcmp(terminal, "dumb") == 0);
}

size_t packet_text_size(const struct packet_style *style, const struct source *s, uint32_t caplen)
{
	bool many = s->many_spaces || s->names;
	size_t netns = many ? NEWS_NAME_SIZE : s->netns ? strlen(s->netns) : 0;
	size_t names = sizeof(s->function) + sizeof(s->ifname) + netns;
	size_t bytes = style->json ? caplen * 2 : (caplen / HEX_BYTES_PER_LINE + 1) * HEX_LINE_SIZE;

	return LINE_SIZE + names * JSON_CHARACTER_MAX + (style->hex ? bytes : 0) +
	       (style->labels ? LABEL_JSON_MAX : 0);
}

/* The two digits of a byte. */
static void write_hex(char *to, uint8_t byte)
{
	static const char digits[] = "0123456789abcdef";

	to[0] = digits[byte >> 4];
	to[1] = digits[byte & 0xf];
}

static void print_bytes(struct text *t, const uint8_t *p, uint32_t caplen)
{
	char hex[HEX_BYTES_PER_LINE * 3 + 1], chars[HEX_BYTES_PER_LINE + 1];

	for (uint32_t at = 0, n = 0; at < caplen; at += n) {
		memset(hex, ' ', sizeof(hex));
		for (n = 0; n < HEX_BYTES_PER_LINE && at + n < caplen; n++) {
			write_hex(hex + n * 3, p[at + n]);
			chars[n] = isprint(p[at + n]) ? (char)p[at + n] : '.';
		}
		hex[sizeof(hex) - 1] = chars[n] = 0;
		print(t, "  0x%04x:  %s %s\n", at, hex, chars);
	}
}

/* The number among the packets of one CPU. The bits above it are the filter's generation and the
 * CPU. */
static uint64_t packet_id(const struct epb_options *o)
{
	return (uint64_t)(o->packetid_high & 0xfff) << 32 | o->packetid_low;
}

static const char *place_of(const struct source *s, const struct epb_options *o)
{
	return o->flags & EPB_FLAG_OUTBOUND && !s->drops ? "egress" : source_place(s);
}

static const char *verdict_color(const char *verdict)
{
	if (strcmp(verdict, "PASS") == 0)
		return GREEN;
	return strcmp(verdict, "TX") == 0 || strcmp(verdict, "REDIRECT") == 0 ? YELLOW : RED;
}

/* Print where in a program the packet was captured: its function, entry or exit, and what it
 * returned. */
static void print_place(struct text *t, const struct packet_style *style, const struct source *s,
			const struct epb_header *r)
{
	const struct epb_options *o = epb_options(r);
	bool marked = style->color && o->flags & EPB_FLAG_OUTBOUND;
	struct packet_options more;

	packet_options_read(&more, r);
	print_name(t, s->program ? s->function : "xdpdump");
	print(t, "()@%s%s%s", marked ? CYAN : "", place_of(s, o), marked ? PLAIN : "");
	if (more.has_verdict) {
		const char *name = verdict_name(more.verdict);

		print(t, "%s[%s]%s", style->color ? verdict_color(name) : "", name,
		      style->color ? PLAIN : "");
	}
}

#define COOKED_INDEX 4 /* where it is in a header of LINUX_SLL2 */

static unsigned cooked_index(const struct epb_header *r, uint32_t caplen)
{
	uint32_t index = 0;

	if (caplen >= COOKED_INDEX + sizeof(index))
		memcpy(&index, epb_frame(r) + COOKED_INDEX, sizeof(index));
	return ntohl(index);
}

/* The network namespace that it came in, or NULL: ours, or not known. */
static const char *netns_name(const struct source *s, const struct epb_header *r)
{
	const char *name = NULL;
	const struct member *m;
	struct packet_options more;

	if (s->names) {
		packet_options_read(&more, r);
		if (more.drop_netns)
			name = netns_list_name(s->names, more.drop_netns, epb_time(r));
		return name && *name ? name : NULL;
	}
	if (!s->many_spaces || !s->members)
		return s->netns;
	m = members_with_id(s->members, r->interface_id);
	return m ? m->space : NULL;
}

/* The interface of a dropped packet. The string is valid until the next call. */
static const char *drop_interface(const struct packet_options *more)
{
	static char number[16];

	if (more->drop_ifname[0] || !more->drop_ifindex)
		return more->drop_ifname;
	snprintf(number, sizeof(number), "if%u", more->drop_ifindex);
	return number;
}

/* The interface that the packet came through. The string is valid until the next call. */
static const char *interface_name(const struct source *s, const struct epb_header *r,
				  uint32_t caplen)
{
	static char number[16];
	unsigned index;
	const struct member *m;

	if (!s->members)
		return s->ifname;
	index = s->drops ? 0 : cooked_index(r, caplen);
	m = s->many_spaces ? members_with_id(s->members, r->interface_id)
			   : members_find(s->members, 0, index);
	if (m)
		return m->name;
	if (s->drops)
		return s->ifname;
	snprintf(number, sizeof(number), "if%u", index);
	return number;
}

static void print_xdp_tools(struct text *t, const struct packet_style *style,
			    const struct source *s, const struct epb_header *r, uint32_t caplen)
{
	const struct epb_options *o = epb_options(r);
	lldiv_t time = lldiv((long long)epb_time(r), NS_PER_SEC);

	print(t, "%s%lld.%09lld%s: ", style->color ? DIM : "", time.quot, time.rem,
	      style->color ? PLAIN : "");
	print_place(t, style, s, r);
	print(t, ": packet size %u bytes", r->len);
	if (style->hex || caplen < r->len)
		print(t, ", captured %u bytes", caplen);
	print(t, " on if_index %u, rx queue %u, id %" PRIu64 "\n",
	      source_link(s) == LINK_COOKED ? cooked_index(r, caplen) : s->interface.index,
	      o->queue, packet_id(o));
}

/* Received and sent frames are told apart at a glance: the protocol begins in the same column. */
static void print_side(struct text *t, const struct packet_style *style, const struct source *s,
		       const struct epb_header *r)
{
	bool sent = epb_options(r)->flags & EPB_FLAG_OUTBOUND;

	if (s->drops)
		print(t, "%sDrop%s", style->color ? RED : "", style->color ? PLAIN : "");
	else if (s->program)
		print_place(t, style, s, r);
	else
		print(t, "%s%-3s%s", style->color && sent ? CYAN : "", sent ? "Out" : "In",
		      style->color && sent ? PLAIN : "");
}

static void print_details(struct text *t, const struct epb_options *o)
{
	print(t, " [cpu %u", o->packetid_high >> 20);
	if (!(o->flags & EPB_FLAG_OUTBOUND)) /* what is sent has no receive queue */
		print(t, ", queue %u", o->queue);
	print(t, ", id %" PRIu64 "]", packet_id(o));
}

static void print_drop(struct text *t, const struct packet_style *style,
		       const struct packet_options *o)
{
	print(t, " %s[", style->color ? RED : "");
	print_name(t, o->drop_reason);
	if (o->drop_place[0])
		print(t, " in ");
	print_name(t, o->drop_place);
	print(t, "]%s", style->color ? PLAIN : "");
}

/* The text is "" if the packet has no entries, or if they were not asked for. */
static void read_entries(char text[ENTRIES_TEXT_MAX], const char *between,
			 const struct packet_style *style, const struct epb_header *r)
{
	const struct epb_lengths l = {.total = r->total_length, .caplen = r->caplen};
	struct epb_entries e;

	text[0] = 0;
	if (style->entries && afxdp_entries_of(r, &l, &e))
		entries_text(text, between, &e);
}

static void print_line(struct text *t, struct packet_style *style, const struct source *s,
		       const struct epb_header *r, uint32_t caplen)
{
	char time[TIME_TEXT_MAX];
	bool dim = time_text(&style->time, time, epb_time(r)) && style->color;
	struct packet_options more = {.has_drop = false};
	const struct label *label = label_of(style->labels, r);
	char entries[ENTRIES_TEXT_MAX];
	const char *netns;

	if (s->drops)
		packet_options_read(&more, r);
	print(t, "%s%s%s", dim ? DIM : "", time, dim ? PLAIN : "");
	netns = s->many_spaces || style->netns ? netns_name(s, r) : NULL;
	if (netns) {
		print_name(t, netns);
		print(t, "/");
	}
	print_name(t, more.has_drop && more.drop_ifindex ? drop_interface(&more)
							 : interface_name(s, r, caplen));
	put(t, " ");
	print_side(t, style, s, r);
	put(t, " ");
	t->used += line_of_frame(t->at + t->used, LINE_MAX, links[source_link(s)],
				 (style->details ? LINE_NUMBERS : 0) |
					 (style->hardware ? LINE_HARDWARE : 0),
				 epb_frame(r), caplen, r->len);
	if (more.has_drop)
		print_drop(t, style, &more);
	read_entries(entries, " ", style, r);
	if (entries[0])
		print(t, " [%s]", entries);
	if (label && label->text[0]) {
		put(t, " ");
		put(t, label->text);
	}
	if (style->details)
		print_details(t, epb_options(r));
	print(t, "\n");
}

static void print_string(struct text *t, const char *name, const char *value)
{
	print(t, ",\"%s\":", name);
	t->used += json_format(t->at + t->used, t->room - t->used, value);
}

static void print_more(struct text *t, const struct epb_header *r)
{
	struct packet_options more;

	packet_options_read(&more, r);
	if (more.has_verdict)
		print(t, ",\"verdict\":\"%s\"", verdict_name(more.verdict));
	if (more.has_hash)
		print(t, ",\"hash\":%" PRIu32 ",\"hash_algorithm\":%u", more.hash,
		      more.hash_algorithm);
	if (more.has_drop) {
		print_string(t, "drop_reason", more.drop_reason);
		if (more.drop_place[0])
			print_string(t, "drop_place", more.drop_place);
		if (more.drop_ifindex)
			print_string(t, "drop_interface", drop_interface(&more));
		print(t, ",\"drop_ifindex\":%u,\"drop_netns\":%u", more.drop_ifindex,
		      more.drop_netns);
	}
	if (more.dropped)
		print(t, ",\"dropped\":%" PRIu64, more.dropped);
}

static void print_hardware(struct text *t, const char *name, const uint8_t *a)
{
	print(t, ",\"%s\":\"%02x:%02x:%02x:%02x:%02x:%02x\"", name, a[0], a[1], a[2], a[3], a[4],
	      a[5]);
}

static void print_address(struct text *t, const char *name, int family, const uint8_t *address)
{
	char text[INET6_ADDRSTRLEN];

	print(t, ",\"%s\":\"%s\"", name, inet_ntop(family, address, text, sizeof(text)));
}

static void print_tags(struct text *t, const struct packet_ends *e)
{
	for (unsigned i = 0; i < e->tags; i++)
		print(t, "%s%u", i ? "," : ",\"vlans\":[", e->tag[i]);
	if (e->tags)
		print(t, "]");
}

/* "tcp" and so on; NULL if the protocol has no name here. */
static const char *protocol_name(const struct packet_ends *e)
{
	static const struct {
		uint8_t number;
		const char *name;
	} names[] = {
		{IPPROTO_TCP, "tcp"},
		{IPPROTO_UDP, "udp"},
		{IPPROTO_ICMP, "icmp"},
		{IPPROTO_SCTP, "sctp"},
		{IPPROTO_ICMPV6, "icmp6"},
		{IPPROTO_GRE, "gre"},
		{IPPROTO_ESP, "esp"},
		{IPPROTO_AH, "ah"},
		{IPPROTO_IGMP, "igmp"},
		{89, "ospf"},
		{112, "vrrp"},
		{IPPROTO_IPIP, "ipip"},
		{IPPROTO_IPV6, "ipv6"},
	};

	if (!e->family)
		return e->has_type && e->type == ETH_P_ARP ? "arp" : NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == e->protocol)
			return names[i].name;
	return NULL;
}

/* Print the addresses and ports of the outer headers. */
static void print_ends(struct text *t, const struct source *s, const struct epb_header *r,
		       uint32_t caplen)
{
	struct packet_ends e;

	packet_ends(&e, source_link_type(s), epb_frame(r), caplen, r->len);
	if (e.hardware) {
		print_hardware(t, "mac_src", e.hardware + ETH_ALEN);
		print_hardware(t, "mac_dst", e.hardware);
	}
	print_tags(t, &e);
	if (e.has_type)
		print(t, ",\"ethertype\":%u", e.type);
	if (e.family) {
		print_address(t, "src", e.family, e.from);
		print_address(t, "dst", e.family, e.to);
		print(t, ",\"protocol_number\":%u", e.protocol);
	}
	if (protocol_name(&e))
		print(t, ",\"protocol\":\"%s\"", protocol_name(&e));
	if (e.has_ports)
		print(t, ",\"src_port\":%u,\"dst_port\":%u", e.from_port, e.to_port);
	if (e.has_flags)
		print(t, ",\"tcp_flags\":%u", e.flags);
	if (e.is_fragment)
		print(t, ",\"fragment\":true");
}

/* An option that the record does not have gives no member. */
static void print_object(struct text *t, const struct packet_style *style, const struct source *s,
			 const struct epb_header *r, uint32_t caplen)
{
	const struct epb_options *o = epb_options(r);
	lldiv_t time = lldiv((long long)epb_time(r), NS_PER_SEC);
	const struct label *label = label_of(style->labels, r);
	char entries[ENTRIES_TEXT_MAX];

	/* "time" loses digits in a parser whose numbers are doubles; the two integers after it do
	 * not. */
	print(t,
	      "{\"time\":%lld.%09lld,\"seconds\":%lld,\"nanoseconds\":%lld,\"schema\":" JSON_SCHEMA,
	      time.quot, time.rem, time.quot, time.rem);
	print_string(t, "interface", interface_name(s, r, caplen));
	if (netns_name(s, r))
		print_string(t, "netns", netns_name(s, r));
	if (s->program) {
		print_string(t, "program", s->function);
		print(t, ",\"program_id\":%u", s->program);
	}
	print(t, ",\"direction\":\"%s\",\"place\":\"%s\"",
	      o->flags & EPB_FLAG_OUTBOUND ? "out" : "in", place_of(s, o));
	print(t, ",\"queue\":%u,\"length\":%u,\"captured\":%u,\"cpu\":%u,\"id\":%" PRIu64, o->queue,
	      r->len, caplen, o->packetid_high >> 20, packet_id(o));
	print_ends(t, s, r, caplen);
	print_more(t, r);
	read_entries(entries, "\",\"", style, r);
	if (entries[0])
		print(t, ",\"entries\":[\"%s\"]", entries);
	if (label) {
		put(t, ",\"who\":");
		put(t, label->json);
	}
	if (style->hex) {
		char digits[3] = "";

		print(t, ",\"bytes\":\"");
		for (uint32_t i = 0; i < caplen; i++) {
			write_hex(digits, epb_frame(r)[i]);
			put(t, digits);
		}
		print(t, "\"");
	}
	print(t, "}\n");
}

size_t packet_text(char *to, size_t room, struct packet_style *style, const struct source *s,
		   const struct epb_header *r, uint32_t caplen)
{
	struct text t = {.at = to, .room = room};

	if (style->json) {
		print_object(&t, style, s, r, caplen);
		return t.used;
	}
	if (style->xdp_tools)
		print_xdp_tools(&t, style, s, r, caplen);
	else
		print_line(&t, style, s, r, caplen);
	if (style->hex)
		print_bytes(&t, epb_frame(r), caplen);
	return t.used;
}
