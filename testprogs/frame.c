/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Builds generated frames in user space, and tells whether a captured one is still whole. */
#include "frame.h"

#include <arpa/inet.h>
#include <endian.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <netinet/in.h>
#include <string.h>

static const __u8 source_mac[ETH_ALEN] = FRAME_SOURCE_MAC;

/* One's complement sum, in memory order: right on both byte orders. A good header sums to 0. */
static __u16 ip_checksum(const struct iphdr *ip)
{
	__u16 words[sizeof(*ip) / 2];
	__u32 sum = 0;

	memcpy(words, ip, sizeof(words));
	for (unsigned int i = 0; i < sizeof(words) / 2; i++)
		sum += words[i];
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

static void build_ethernet(__u8 *frame, const struct frame_spec *spec)
{
	struct ethhdr eth = {.h_proto = htons(ETH_P_IP)};

	memcpy(eth.h_dest, spec->dst_mac, ETH_ALEN);
	memcpy(eth.h_source, source_mac, ETH_ALEN);
	memcpy(frame, &eth, sizeof(eth));
}

static void build_ip(__u8 *at, __u32 len, __u32 flow, const struct frame_spec *spec)
{
	struct iphdr ip = {
		.version = 4,
		.ihl = sizeof(ip) / 4,
		.tot_len = htons(len),
		.ttl = 64,
		.protocol = IPPROTO_UDP,
		.saddr = spec->src_ip,
		.daddr = spec->dst_ip,
	};

	((__u8 *)&ip.saddr)[2] += flow;
	ip.check = ip_checksum(&ip);
	memcpy(at, &ip, sizeof(ip));
}

static void build_udp(__u8 *at, __u32 len, __u32 flow, __u16 dport)
{
	struct udphdr udp = {
		.source = htons(FRAME_SPORT_BASE + flow),
		.dest = htons(dport),
		.len = htons(len),
	};

	memcpy(at, &udp, sizeof(udp));
}

static void build_payload(__u8 *frame, __u32 len, __u64 seq)
{
	struct frame_mark mark = {
		.seq = htobe64(seq),
		.magic = htonl(FRAME_MAGIC),
		.len = htons(len),
	};
	__be32 tail = htonl(frame_tail(seq));

	memcpy(frame + FRAME_HEADERS, &mark, sizeof(mark));
	for (__u32 i = FRAME_HEADERS + sizeof(mark); i < len - FRAME_TAIL_LEN; i++)
		frame[i] = frame_filler(i);
	memcpy(frame + len - FRAME_TAIL_LEN, &tail, FRAME_TAIL_LEN);
}

void frame_build(__u8 *frame, __u32 len, __u64 seq, const struct frame_spec *spec)
{
	__u32 flow = spec->flows ? seq % spec->flows : 0;
	int match = spec->match_every && seq % spec->match_every == 0;
	__u32 ip_len = len - sizeof(struct ethhdr);

	build_ethernet(frame, spec);
	build_ip(frame + sizeof(struct ethhdr), ip_len, flow, spec);
	build_udp(frame + sizeof(struct ethhdr) + sizeof(struct iphdr),
		  ip_len - sizeof(struct iphdr), flow, match ? spec->match_port : FRAME_PORT_OTHER);
	build_payload(frame, len, seq);
}

static __u16 get16(const __u8 *at)
{
	return at[0] << 8 | at[1];
}

/* Tags that a sender or the capture put between addresses and type; 0 if there are none. */
static __u32 tag_bytes(const __u8 *data, __u32 caplen)
{
	__u32 bytes = 0;

	while (bytes < 8 && caplen >= bytes + 18 &&
	       (get16(data + bytes + 12) == ETH_P_8021Q ||
		get16(data + bytes + 12) == ETH_P_8021AD))
		bytes += 4;
	return bytes;
}

static int filler_is_whole(const __u8 *frame, __u32 from, __u32 to)
{
	static __u8 pattern[FRAME_MAX];

	if (!pattern[0])
		for (__u32 i = 0; i < sizeof(pattern); i++)
			pattern[i] = frame_filler(i);
	return to <= from ||
	       (to <= sizeof(pattern) && !memcmp(frame + from, pattern + from, to - from));
}

static const char *headers_fault(const __u8 *frame, __u32 len, struct frame_info *info)
{
	struct iphdr ip;
	struct udphdr udp;

	if (get16(frame + 12) != ETH_P_IP)
		return "ethernet type";
	memcpy(&ip, frame + sizeof(struct ethhdr), sizeof(ip));
	memcpy(&udp, frame + sizeof(struct ethhdr) + sizeof(ip), sizeof(udp));
	if (ip.version != 4 || ip.ihl != 5 || ip.protocol != IPPROTO_UDP || ip_checksum(&ip))
		return "IP header";
	if (ntohs(ip.tot_len) != len - sizeof(struct ethhdr))
		return "IP length";
	if (ntohs(udp.len) != len - sizeof(struct ethhdr) - sizeof(ip))
		return "UDP length";
	info->sport = ntohs(udp.source);
	info->dport = ntohs(udp.dest);
	return NULL;
}

static const char *payload_fault(const __u8 *frame, __u32 caplen, __u32 len, __u64 seq)
{
	const __u32 from = FRAME_HEADERS + sizeof(struct frame_mark);
	const __u32 to = len - FRAME_TAIL_LEN;
	struct frame_mark mark;
	__be32 tail;

	if (caplen >= from) {
		memcpy(&mark, frame + FRAME_HEADERS, sizeof(mark));
		if (ntohl(mark.magic) != FRAME_MAGIC)
			return "magic number";
		if (ntohs(mark.len) != len)
			return "length";
	}
	if (!filler_is_whole(frame, from, caplen < to ? caplen : to))
		return "filler";
	if (caplen < len)
		return NULL;
	memcpy(&tail, frame + to, sizeof(tail));
	return ntohl(tail) == frame_tail(seq) ? NULL : "tail marker";
}

enum frame_verdict frame_check(const __u8 *data, __u32 caplen, __u32 len, struct frame_info *info)
{
	const __u32 tags = tag_bytes(data, caplen);
	const __u8 *frame = data + tags;
	__be64 seq;

	memset(info, 0, sizeof(*info));
	if (caplen < 2 * ETH_ALEN || memcmp(data + ETH_ALEN, source_mac, ETH_ALEN))
		return FRAME_FOREIGN;
	if (caplen > len || len < FRAME_MIN + tags) {
		info->fault = "captured and original length";
		return FRAME_CORRUPT;
	}
	if (caplen - tags < FRAME_HEADERS + sizeof(seq))
		return FRAME_UNNUMBERED;
	memcpy(&seq, frame + FRAME_HEADERS, sizeof(seq));
	info->seq = be64toh(seq);
	info->fault = headers_fault(frame, len - tags, info);
	if (!info->fault)
		info->fault = payload_fault(frame, caplen - tags, len - tags, info->seq);
	return info->fault ? FRAME_CORRUPT : FRAME_INTACT;
}
