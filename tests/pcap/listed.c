/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What pcap_findalldevs() lists: a line for each device, with flags and addresses, in order. */
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <pcap/pcap.h>
#include <stdio.h>

static size_t size_of(const struct sockaddr *a)
{
	switch (a->sa_family) {
	case AF_INET:
		return sizeof(struct sockaddr_in);
	case AF_INET6:
		return sizeof(struct sockaddr_in6);
	case AF_PACKET:
		return sizeof(struct sockaddr_ll);
	default:
		return sizeof(*a);
	}
}

static void print_address(const char *kind, const struct sockaddr *a)
{
	const unsigned char *bytes = (const void *)a;

	if (!a)
		return;
	printf(" %s=", kind);
	for (size_t i = 0; i < size_of(a); i++)
		printf("%02x", bytes[i]);
}

int main(void)
{
	char err[PCAP_ERRBUF_SIZE];
	pcap_if_t *all;

	if (pcap_findalldevs(&all, err)) {
		fprintf(stderr, "pcap_findalldevs: %s\n", err);
		return 1;
	}
	for (const pcap_if_t *d = all; d; d = d->next) {
		printf("%s flags=%x", d->name, d->flags);
		for (const pcap_addr_t *a = d->addresses; a; a = a->next) {
			print_address("address", a->addr);
			print_address("netmask", a->netmask);
			print_address("broadcast", a->broadaddr);
			print_address("destination", a->dstaddr);
		}
		puts("");
	}
	pcap_freealldevs(all);
	return 0;
}
