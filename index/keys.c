/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "index/keys.h"
#include "pcapng/format.h"

/* Kinds of keys: the seed of the hash. */
enum { OF_ADDRESS = 1, OF_PORT, OF_TAG };

#define LINKTYPE_NULL 0
#define LINKTYPE_LOOP 108
#define LINKTYPE_IPV4 228
#define LINKTYPE_IPV6 229

#define TYPE_IP		0x0800
#define TYPE_ARP	0x0806
#define TYPE_REVARP	0x8035
#define TYPE_IP6	0x86dd
#define IP6_LENGTH	40
#define ETHERNET_LENGTH 14
#define IP_FRAGMENT	0x1fff
#define ARP_FROM	14
#define ARP_TO		24
#define PROTOCOL_TCP	6
#define PROTOCOL_UDP	17
#define PROTOCOL_SCTP	132

struct part {
	const uint8_t *at;
	uint32_t length;
};

static uint32_t hash(const void *p, unsigned length, uint64_t seed)
{
	return (uint32_t)XXH3_64bits_withSeed(p, length, seed);
}

uint32_t index_key_address(const uint8_t *address, unsigned length)
{
	return hash(address, length, OF_ADDRESS);
}

uint32_t index_key_port(uint8_t protocol, uint16_t port)
{
	const uint8_t bytes[] = {protocol, (uint8_t)(port >> 8), (uint8_t)port};

	return hash(bytes, sizeof(bytes), OF_PORT);
}

uint32_t index_key_tag(uint16_t id)
{
	const uint8_t bytes[] = {(uint8_t)(id >> 8), (uint8_t)id};

	return hash(bytes, sizeof(bytes), OF_TAG);
}

static void add(struct index_keys *k, uint32_t key)
{
	if (k->n < INDEX_KEYS_MOST)
		k->key[k->n++] = key;
}

static uint16_t u16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/* What is cut off cannot match: libpcap's load fails there. */
static void add_address(struct index_keys *k, struct part p, uint32_t from, unsigned length)
{
	if (p.length >= from + length)
		add(k, index_key_address(p.at + from, length));
}

static void add_ports(struct index_keys *k, struct part p, uint32_t from, uint8_t protocol)
{
	if (protocol != PROTOCOL_TCP && protocol != PROTOCOL_UDP && protocol != PROTOCOL_SCTP)
		return;
	for (unsigned i = 0; i < 2; i++)
		if (p.length >= from + 2 * i + 2)
			add(k, index_key_port(protocol, u16(p.at + from + 2 * i)));
}

/* As libpcap, does not check the version, and uses the header's length as it is, even if it is too
 * short. */
static void ip(struct index_keys *k, struct part p)
{
	add_address(k, p, 12, 4);
	add_address(k, p, 16, 4);
	if (p.length > 9 && (u16(p.at + 6) & IP_FRAGMENT) == 0)
		add_ports(k, p, 4 * (p.at[0] & 0xfu), p.at[9]);
}

static void ip6(struct index_keys *k, struct part p)
{
	add_address(k, p, 8, 16);
	add_address(k, p, 24, 16);
	if (p.length > 6)
		add_ports(k, p, IP6_LENGTH, p.at[6]);
}

static void of_type(struct index_keys *k, uint16_t type, struct part p)
{
	switch (type) {
	case TYPE_IP:
		ip(k, p);
		break;
	case TYPE_IP6:
		ip6(k, p);
		break;
	case TYPE_ARP:
	case TYPE_REVARP:
		add_address(k, p, ARP_FROM, 4);
		add_address(k, p, ARP_TO, 4);
		break;
	}
}

static bool is_tag(uint16_t type)
{
	return type == 0x8100 || type == 0x88a8 || type == 0x9100;
}

static struct part behind(struct part p, uint32_t n)
{
	return (struct part){p.at + n, p.length - n};
}

/* p: the frame from the type on. */
static void ethernet(struct index_keys *k, struct part p)
{
	for (unsigned tags = 0; tags < INDEX_TAGS_MOST && p.length >= 4 && is_tag(u16(p.at));
	     tags++) {
		add(k, index_key_tag(u16(p.at + 2) & 0xfff));
		p = behind(p, 4);
	}
	if (p.length >= 2)
		of_type(k, u16(p.at), behind(p, 2));
}

/* The address family is a number in the byte order of the capturing machine. */
static void loopback(struct index_keys *k, struct part p)
{
	bool is_ip = p.at[0] + p.at[3] == 2 && p.at[1] + p.at[2] == 0;

	(is_ip ? ip : ip6)(k, behind(p, 4));
}

static void raw(struct index_keys *k, struct part p)
{
	(p.at[0] >> 4 == 4 ? ip : ip6)(k, p);
}

bool index_knows(uint16_t link_type)
{
	switch (link_type) {
	case LINKTYPE_ETHERNET:
	case LINKTYPE_RAW:
	case LINKTYPE_LINUX_SLL:
	case LINKTYPE_LINUX_SLL2:
	case LINKTYPE_NULL:
	case LINKTYPE_LOOP:
	case LINKTYPE_IPV4:
	case LINKTYPE_IPV6:
		return true;
	default:
		return false;
	}
}

/* Plain frames are IPv4 with ports, and without tags, options or fragments. */
bool index_flow_of(struct index_flow *f, uint16_t link_type, const uint8_t *frame, uint32_t caplen)
{
	const uint8_t *p = frame + ETHERNET_LENGTH;

	if (link_type != LINKTYPE_ETHERNET || caplen < ETHERNET_LENGTH + 24 ||
	    u16(frame + 12) != TYPE_IP || (p[0] & 0xf) != 5 || u16(p + 6) & IP_FRAGMENT)
		return false;
	memcpy(f, p + 12, 12);
	f->protocol = p[9];
	return true;
}

void index_keys_of(struct index_keys *k, uint16_t link_type, const uint8_t *frame, uint32_t caplen)
{
	struct part p = {frame, caplen};

	k->n = 0;
	if (link_type == LINKTYPE_ETHERNET && caplen >= 14)
		ethernet(k, behind(p, 12));
	else if (link_type == LINKTYPE_RAW && caplen)
		raw(k, p);
	else if (link_type == LINKTYPE_LINUX_SLL && caplen >= 16)
		of_type(k, u16(frame + 14), behind(p, 16));
	else if (link_type == LINKTYPE_LINUX_SLL2 && caplen >= 20)
		of_type(k, u16(frame), behind(p, 20));
	else if ((link_type == LINKTYPE_NULL || link_type == LINKTYPE_LOOP) && caplen >= 4)
		loopback(k, p);
	else if (link_type == LINKTYPE_IPV4)
		ip(k, p);
	else if (link_type == LINKTYPE_IPV6)
		ip6(k, p);
}
