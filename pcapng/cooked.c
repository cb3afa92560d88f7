/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if_arp.h>
#include <string.h>

#include "pcapng/cooked.h"
#include "pcapng/format.h"

#define HATYPE_UNKNOWN	0xffff /* ARPHRD_VOID */
#define TYPES_FROM	0x600  /* below, the type of an Ethernet frame is its length */
#define PROTOCOL_802_2	4      /* LINUX_SLL_P_802_2 */
#define RECEPTION_SHIFT 2      /* EPB_FLAG_RECEPTION() */
#define RECEPTIONS	8

bool cooked_takes(uint16_t link_type)
{
	return link_type == LINKTYPE_ETHERNET || link_type == LINKTYPE_RAW;
}

/* To whom the packet goes. If the flags do not tell, the destination's address does. */
static uint8_t packet_type(uint32_t flags, const uint8_t *destination)
{
	static const uint8_t broadcast[ETH_ALEN] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	static const uint8_t types[RECEPTIONS] = {PACKET_HOST, PACKET_HOST, PACKET_MULTICAST,
						  PACKET_BROADCAST, PACKET_OTHERHOST};
	uint32_t reception = flags >> RECEPTION_SHIFT & (RECEPTIONS - 1);

	if (flags & EPB_FLAG_OUTBOUND)
		return PACKET_OUTGOING;
	if (reception || !destination || !(destination[0] & 1))
		return types[reception];
	return memcmp(destination, broadcast, ETH_ALEN) == 0 ? PACKET_BROADCAST : PACKET_MULTICAST;
}

static bool has_address(uint16_t hatype)
{
	return hatype == ARPHRD_ETHER || hatype == ARPHRD_LOOPBACK;
}

static uint32_t replace_ethernet(struct epb_cooked *h, const struct cooked_link *l,
				 const uint8_t *frame, uint32_t caplen, uint32_t flags)
{
	struct ethhdr ethernet = {.h_proto = 0};
	uint16_t hatype = l->hatype ? l->hatype : ARPHRD_ETHER;

	memcpy(&ethernet, frame, caplen < sizeof(ethernet) ? caplen : sizeof(ethernet));
	h->protocol = ntohs(ethernet.h_proto) < TYPES_FROM && caplen >= sizeof(ethernet)
			      ? htons(PROTOCOL_802_2)
			      : ethernet.h_proto;
	h->hatype = htons(hatype);
	h->pkttype = packet_type(flags, ethernet.h_dest);
	if (has_address(hatype)) {
		h->halen = ETH_ALEN;
		memcpy(h->address, ethernet.h_source, ETH_ALEN);
	}
	return sizeof(ethernet);
}

uint32_t cooked_header(struct epb_cooked *h, const struct cooked_link *l, const uint8_t *frame,
		       uint32_t caplen, uint32_t flags)
{
	unsigned version = caplen ? frame[0] >> 4 : 0;

	*h = (struct epb_cooked){.ifindex = htonl(l->ifindex)};
	if (l->link_type == LINKTYPE_ETHERNET)
		return replace_ethernet(h, l, frame, caplen, flags);
	h->protocol = version == 4 ? htons(ETH_P_IP) : version == 6 ? htons(ETH_P_IPV6) : 0;
	h->hatype = htons(l->hatype ? l->hatype : HATYPE_UNKNOWN);
	h->pkttype = packet_type(flags, NULL);
	return 0;
}
