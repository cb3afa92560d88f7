// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/*
 * Programs for LINUX_SLL and LINUX_SLL2, made into ones for a record's header and for an skb, say
 * of random packets what they say of these with their own header.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/types.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/record.h"
#include "filter/filter.h"
#include "tests/random.h"

#define PACKETS	   2000
#define PACKET_MAX 80
#define SLL_HEAD   16

static const char *const expressions[] = {
	"ip",
	"ip6 and tcp port 80",
	"inbound",
	"outbound",
	"tcp port 80",
	"udp[2:2] = 53",
	"not arp",
	"net 10.0.0.0/8",
	"ether proto 0x88b5",
	"ip[6:2] & 0x1fff = 0",
	"link[0:2] = 4",
	"link[1] = 4",
	"link[2:2] = 1",
	"link[4:2] = 6",
	"link[5] = 6",
	"link[6:4] = 0x02000000",
	"link[8:2] = 1",
	"link[11] = 6",
	"link[12] = 2",
	"link[17] = 7",
	"greater 60",
	"len = 50",
};

/* Those that an skb cannot answer, by link type. */
static const unsigned user_alone[2] = {9, 11};

static unsigned passed, failed;
static uint64_t seed = RANDOM_SEED;

static void check(int good, const char *what, const char *expression, int link)
{
	passed += good != 0;
	failed += !good;
	if (!good)
		printf("FAILED: %s: \"%s\", of %d bytes\n", what, expression, link);
}

static unsigned pick(unsigned n)
{
	return (unsigned)(random_next(&seed) % n);
}

/* Of few values each, so that filters find some. */
static uint32_t make(uint8_t record[], uint8_t sll[])
{
	static const uint16_t protocols[] = {0x0800, 0x86dd, 0x0806, 0x88b5};
	static const uint8_t ports[] = {80, 53, 22}, transports[] = {6, 17, 1};
	struct epb_cooked *h = (void *)record;
	uint8_t *at = record + sizeof(*h);
	uint32_t n = pick(PACKET_MAX);

	memset(record, 0, sizeof(*h) + PACKET_MAX);
	h->protocol = htons(protocols[pick(4)]);
	h->ifindex = htonl(1 + pick(7));
	h->hatype = htons((uint16_t)pick(3));
	h->pkttype = (uint8_t)pick(5);
	h->halen = pick(2) ? 6 : 0;
	h->address[0] = 2;
	at[0] = h->protocol == htons(0x86dd) ? 0x60 : 0x45;
	at[1] = (uint8_t)pick(9);
	at[h->protocol == htons(0x86dd) ? 6 : 9] = transports[pick(3)];
	at[12] = at[16] = (uint8_t)(9 + pick(3));
	at[23] = at[43] = ports[pick(3)];
	memset(sll, 0, SLL_HEAD);
	sll[1] = h->pkttype;
	memcpy(sll + 2, &h->hatype, 2);
	sll[5] = h->halen;
	memcpy(sll + 6, h->address, 8);
	memcpy(sll + 14, &h->protocol, 2);
	memcpy(sll + SLL_HEAD, at, PACKET_MAX);
	return n;
}

/* What an skb answers, as constants: libpcap's filter in the kernel has these fields so. */
static void answer(struct sock_filter *f, unsigned n, const struct epb_cooked *h)
{
	for (unsigned i = 0; i < n; i++) {
		uint32_t value;

		if (f[i].code != (BPF_LD | BPF_W | BPF_ABS))
			continue;
		if (f[i].k == (uint32_t)(SKF_AD_OFF + SKF_AD_PROTOCOL))
			value = ntohs(h->protocol);
		else if (f[i].k == (uint32_t)(SKF_AD_OFF + SKF_AD_PKTTYPE))
			value = h->pkttype;
		else if (f[i].k == (uint32_t)(SKF_AD_OFF + SKF_AD_IFINDEX))
			value = ntohl(h->ifindex);
		else
			continue;
		f[i] = (struct sock_filter){.code = BPF_LD | BPF_IMM, .k = value};
	}
}

/* Is it one that an skb can answer? */
static int compare(const char *text, const struct sock_filter *f, unsigned n, enum filter_link link)
{
	struct sock_filter *user = calloc(n, sizeof(*f)), *skb = calloc(n, sizeof(*f));
	uint8_t record[sizeof(struct epb_cooked) + PACKET_MAX], sll[SLL_HEAD + PACKET_MAX];
	char why[100] = "";
	int e = filter_cook_skb(f, n, link, skb, why, sizeof(why)), same = 1, by_skb = 1;

	check(e == 0 || (e == -EOPNOTSUPP && why[0]), "it says why", text, link);
	check(filter_cook_record(f, n, link, user, why, sizeof(why)) == 0, why, text, link);
	for (unsigned i = 0; i < PACKETS && same && by_skb; i++) {
		uint32_t length = make(record, sll), wanted;

		wanted = filter_run(f, link == FILTER_LINK_SLL ? sll : record, link + length,
				    link + length);
		same = wanted ==
		       filter_run(user, record, link + length, sizeof(struct epb_cooked) + length);
		if (e)
			continue;
		filter_cook_skb(f, n, link, skb, why, sizeof(why));
		answer(skb, n, (const void *)record);
		by_skb = wanted ==
			 filter_run(skb, record + sizeof(struct epb_cooked), length, length);
	}
	check(same, "of the record the same", text, link);
	check(by_skb, "of the skb the same", text, link);
	free(user);
	free(skb);
	return e == 0;
}

static void try_link(int dlt, enum filter_link link, unsigned user_wanted)
{
	pcap_t *p = pcap_open_dead(dlt, 65535);
	unsigned user = 0;

	for (unsigned i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++) {
		struct bpf_program f;

		if (pcap_compile(p, &f, expressions[i], 1, PCAP_NETMASK_UNKNOWN)) {
			check(0, pcap_geterr(p), expressions[i], link);
			continue;
		}
		user += !compare(expressions[i], (const struct sock_filter *)f.bf_insns, f.bf_len,
				 link);
		pcap_freecode(&f);
	}
	check(user == user_wanted, "as many as that are left to user space", "", (int)user);
	pcap_close(p);
}

/* No frame is so long, with whatever header. */
static void try_beyond(enum filter_link link)
{
	static const uint16_t loads[] = {
		BPF_LD | BPF_B | BPF_ABS,
		BPF_LD | BPF_B | BPF_IND,
		BPF_LDX | BPF_B | BPF_MSH,
	};
	static const uint32_t places[] = {0x80000000, 0xffffeffc, 0xfffff040, 0xfffffffc,
					  0xffffffff};
	char what[64], why[100];

	for (unsigned i = 0; i < sizeof(loads) / sizeof(loads[0]) * 5; i++) {
		struct sock_filter f[] = {{.code = loads[i / 5], .k = places[i % 5]},
					  {.code = BPF_RET | BPF_K, .k = 1}},
				   skb[2];

		snprintf(what, sizeof(what), "load %#x of %#x", f[0].code, f[0].k);
		compare(what, f, 2, link);
		filter_cook_skb(f, 2, link, skb, why, sizeof(why));
		check(skb[0].k == f[0].k, "of the skb at the same place", what, link);
	}
}

/* Not one field of LINUX_SLL's header, at a place that is known. */
static void try_refused(void)
{
	static const struct sock_filter loads[] = {
		{.code = BPF_LD | BPF_W | BPF_ABS, .k = 0},
		{.code = BPF_LD | BPF_H | BPF_ABS, .k = 1},
		{.code = BPF_LD | BPF_H | BPF_ABS, .k = 5},
		{.code = BPF_LD | BPF_W | BPF_ABS, .k = 12},
		{.code = BPF_LD | BPF_W | BPF_ABS, .k = 14},
		{.code = BPF_LD | BPF_B | BPF_IND, .k = 15},
		{.code = BPF_LDX | BPF_B | BPF_MSH, .k = 0},
	};
	struct sock_filter out[2];
	char what[64];

	for (unsigned i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		const struct sock_filter f[] = {loads[i], {.code = BPF_RET | BPF_K, .k = 1}};
		char why[160] = "";

		snprintf(what, sizeof(what), "load %#x of %u", f[0].code, f[0].k);
		check(filter_cook_record(f, 2, FILTER_LINK_SLL, out, why, sizeof(why)) ==
				      -EOPNOTSUPP &&
			      strstr(why, "LINUX_SLL2"),
		      "refused", what, FILTER_LINK_SLL);
		check(filter_cook_record(f, 2, FILTER_LINK_SLL2, out, why, sizeof(why)) == 0,
		      "has all of it", what, FILTER_LINK_SLL2);
	}
}

int main(void)
{
	try_refused();
	try_beyond(FILTER_LINK_SLL);
	try_beyond(FILTER_LINK_SLL2);
	try_link(DLT_LINUX_SLL, FILTER_LINK_SLL, user_alone[0]);
	try_link(DLT_LINUX_SLL2, FILTER_LINK_SLL2, user_alone[1]);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
