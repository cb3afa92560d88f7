/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "flow_text.h"
#include "text.h"

#define BLANKS	  " \t\r\v\f,\"" /* jq quotes what it writes as CSV */
#define WORDS_MAX 32		 /* conntrack prints some 25 at most */

/* Upper case as well, as Suricata writes it. */
static const struct {
	const char *name;
	uint32_t number;
} protocols[] = {
	{"tcp", IPPROTO_TCP},	      {"udp", IPPROTO_UDP},
	{"sctp", IPPROTO_SCTP},	      {"dccp", IPPROTO_DCCP},
	{"udplite", IPPROTO_UDPLITE}, {"icmp", IPPROTO_ICMP},
	{"icmpv6", IPPROTO_ICMPV6},   {"ipv6-icmp", IPPROTO_ICMPV6},
	{"gre", IPPROTO_GRE},	      {"esp", IPPROTO_ESP},
	{"ah", IPPROTO_AH},	      {"ipip", IPPROTO_IPIP},
};

bool flow_has_ports(uint32_t protocol)
{
	return sets_place_of(protocol) != SETS_PROTOCOLS;
}

/* Read a decimal number up to most, with digits only. */
static bool read_number(const char *word, uint32_t most, uint32_t *n)
{
	*n = 0;
	if (!*word || strlen(word) > 5)
		return false;
	for (; isdigit((unsigned char)*word); word++)
		*n = *n * 10 + (uint32_t)(*word - '0');
	return !*word && *n <= most;
}

static bool find_name(const char *word, uint32_t *protocol)
{
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++)
		if (strcasecmp(word, protocols[i].name) == 0) {
			*protocol = protocols[i].number;
			return true;
		}
	return false;
}

/* 0 is not a protocol here: it stands for IPv6's hop-by-hop options, and what follows them is the
 * protocol. */
static bool read_protocol(const char *word, uint32_t *protocol)
{
	return find_name(word, protocol) || (read_number(word, 255, protocol) && *protocol);
}

static bool read_address(const char *word, __u64 address[2])
{
	struct set_address a;

	if (!set_address_read(word, &a))
		return false;
	memcpy(address, a.half, sizeof(a.half));
	return true;
}

/* 192.0.2.1:80 or [2001:db8::1]:80. */
static bool read_both(char *word, __u64 address[2], uint32_t *port)
{
	char *colon = strrchr(word, ':');

	if (!colon || !read_number(colon + 1, 65535, port))
		return false;
	*colon = 0;
	if (*word == '[' && colon[-1] == ']') {
		colon[-1] = 0;
		word++;
	} else if (strchr(word, ':')) {
		return false;
	}
	return read_address(word, address);
}

/* For protocols without ports, programs write 0, or something that is not a number. */
static bool is_no_port(const char *word)
{
	return strcmp(word, "0") == 0 || strcmp(word, "-") == 0 || strcmp(word, "null") == 0;
}

static bool take_five(char *const *word, struct flows_key *k)
{
	uint32_t a, b;

	if (!read_address(word[1], k->address[0]) || !read_address(word[3], k->address[1]))
		return false;
	if (!flow_has_ports(k->protocol))
		return is_no_port(word[2]) && is_no_port(word[4]);
	if (!read_number(word[2], 65535, &a) || !read_number(word[4], 65535, &b))
		return false;
	k->ports = a << 16 | b;
	return true;
}

static bool take_three(char *const *word, struct flows_key *k)
{
	uint32_t a, b;

	if (!flow_has_ports(k->protocol))
		return read_address(word[1], k->address[0]) && read_address(word[2], k->address[1]);
	if (!read_both(word[1], k->address[0], &a) || !read_both(word[2], k->address[1], &b))
		return false;
	k->ports = a << 16 | b;
	return true;
}

/* The value of the first word that begins with name; NULL: none does. */
static const char *value_of(char *const *word, unsigned n, const char *name)
{
	size_t length = strlen(name);

	for (unsigned i = 0; i < n; i++)
		if (strncmp(word[i], name, length) == 0)
			return word[i] + length;
	return NULL;
}

/* Uses the direction that began the connection, which comes first. The protocol is the first word
 * that names one. */
static bool take_conntrack(char *const *word, unsigned n, struct flows_key *k)
{
	const char *src = value_of(word, n, "src="), *dst = value_of(word, n, "dst=");
	const char *sport = value_of(word, n, "sport="), *dport = value_of(word, n, "dport=");
	uint32_t a, b;
	bool named = false;

	for (unsigned i = 0; i < n && !named; i++)
		named = find_name(word[i], &k->protocol);
	if (!named || !src || !dst || !read_address(src, k->address[0]) ||
	    !read_address(dst, k->address[1]))
		return false;
	if (!flow_has_ports(k->protocol))
		return true;
	if (!sport || !dport || !read_number(sport, 65535, &a) || !read_number(dport, 65535, &b))
		return false;
	k->ports = a << 16 | b;
	return true;
}

static bool take_words(char *const *word, unsigned n, struct flows_key *k)
{
	if (n > 5)
		return take_conntrack(word, n, k);
	if (!read_protocol(word[0], &k->protocol))
		return false;
	return n == 5 ? take_five(word, k) : n == 3 && take_three(word, k);
}

int flow_line_parse(const char *line, size_t length, struct flows_key *k)
{
	char copy[FLOW_LINE_MAX], *word[WORDS_MAX], *rest = NULL;
	unsigned n = 0;

	if (length >= sizeof(copy) || memchr(line, 0, length))
		return -EINVAL;
	memcpy(copy, line, length);
	copy[length] = 0;
	copy[strcspn(copy, "#;")] = 0;
	for (char *w = strtok_r(copy, BLANKS, &rest); w && n < WORDS_MAX;
	     w = strtok_r(NULL, BLANKS, &rest))
		word[n++] = w;
	if (!n)
		return 0;
	memset(k, 0, sizeof(*k));
	if (!take_words(word, n, k))
		return -EINVAL;
	flows_order(k);
	return 1;
}
