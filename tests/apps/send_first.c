/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * As scanners do: opens a device, sends, and only then begins to read. Asks by ARP who has an
 * address, and succeeds when the reply is captured, once, and its own request is not.
 *
 *	send_first DEVICE MAC OWN-ADDRESS WANTED-ADDRESS
 */
#include <arpa/inet.h>
#include <netinet/ether.h>
#include <netinet/if_ether.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SETTLE_US 200000 /* until the reply has surely come */

static int seen[ARPOP_REPLY + 1];

static void look(u_char *user, const struct pcap_pkthdr *h, const u_char *frame)
{
	const struct ether_arp *arp = (const void *)(frame + ETH_HLEN);
	unsigned op;

	(void)user;
	if (h->caplen < ETH_HLEN + sizeof(*arp))
		return;
	op = ntohs(arp->ea_hdr.ar_op);
	if (op <= ARPOP_REPLY)
		seen[op]++;
}

static int write_request(u_char *frame, char **words)
{
	struct ether_header *ether = (void *)frame;
	struct ether_arp *arp = (void *)(frame + ETH_HLEN);
	struct ether_addr mac;

	if (!ether_aton_r(words[0], &mac) || inet_pton(AF_INET, words[1], arp->arp_spa) != 1 ||
	    inet_pton(AF_INET, words[2], arp->arp_tpa) != 1)
		return -1;
	memset(ether->ether_dhost, 0xff, ETH_ALEN);
	memcpy(ether->ether_shost, &mac, ETH_ALEN);
	ether->ether_type = htons(ETHERTYPE_ARP);
	arp->ea_hdr = (struct arphdr){htons(ARPHRD_ETHER), htons(ETHERTYPE_IP), ETH_ALEN,
				      sizeof(struct in_addr), htons(ARPOP_REQUEST)};
	memcpy(arp->arp_sha, &mac, ETH_ALEN);
	return 0;
}

int main(int argc, char **argv)
{
	u_char frame[60] = {0};
	char err[PCAP_ERRBUF_SIZE] = "";
	struct bpf_program filter;
	pcap_t *p;

	if (argc != 5 || write_request(frame, argv + 2)) {
		fprintf(stderr, "usage: send_first DEVICE MAC OWN-ADDRESS WANTED-ADDRESS\n");
		return 2;
	}
	p = pcap_open_live(argv[1], 65535, 0, 1000, err);
	if (!p || pcap_compile(p, &filter, "arp", 1, 0) || pcap_setfilter(p, &filter)) {
		fprintf(stderr, "send_first: %s\n", p ? pcap_geterr(p) : err);
		return 1;
	}
	if (pcap_inject(p, frame, sizeof(frame)) != sizeof(frame)) {
		fprintf(stderr, "send_first: %s\n", pcap_geterr(p));
		return 1;
	}
	usleep(SETTLE_US);
	if (pcap_dispatch(p, -1, look, NULL) < 0)
		fprintf(stderr, "send_first: %s\n", pcap_geterr(p));
	printf("%d request, %d reply\n", seen[ARPOP_REQUEST], seen[ARPOP_REPLY]);
	pcap_close(p);
	return seen[ARPOP_REQUEST] != 0 || seen[ARPOP_REPLY] != 1;
}
