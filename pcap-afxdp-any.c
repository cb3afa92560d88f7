/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap-afxdp-any.c: The device "xdp:any", all interfaces at once, by the link
 * types of libpcap's own any.
 */
#include <config.h>

#include <linux/types.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "pcap-int.h"
#include "pcap-afxdp.h"
#include "pcap-afxdp-int.h"
#include "pcap/sll.h"

#include "afxdpcapture.h"

/*
 * A record of the device any has the header of LINUX_SLL2. That of LINUX_SLL is
 * shorter, and is made of it in its place. With LINUX_SLL a VLAN tag stands
 * between header and packet, as on libpcap's own; with LINUX_SLL2, which has it
 * there too, its protocol is the tag's.
 */
const u_char *
pcap_cook_any(const pcap_t *p, const struct epb_header *r,
	      struct pcap_pkthdr *h)
{
	const struct afxdp *a = p->priv;
	const u_int less = SLL2_HDR_LEN - SLL_HDR_LEN;
	struct sll2_header from;
	struct sll_header to;
	u_char *at = (u_char *)epb_frame(r);

	a->lib->cook(a->reader, r);
	if (p->linktype != DLT_LINUX_SLL)
		return at;
	memcpy(&from, at, sizeof(from));
	to.sll_pkttype = htons(from.sll2_pkttype);
	to.sll_hatype = from.sll2_hatype;
	to.sll_halen = htons(from.sll2_halen);
	memcpy(to.sll_addr, from.sll2_addr, sizeof(to.sll_addr));
	to.sll_protocol = from.sll2_protocol;
	at += less;
	memcpy(at, &to, sizeof(to));
	h->caplen = h->caplen > less ? h->caplen - less : 0;
	h->len -= less;
	return at;
}

/* As libpcap's own: room for either header, and for a byte behind it. */
void
pcap_raise_snapshot_any(pcap_t *p)
{
	char name[IFNAMSIZ];

	if (p->snapshot <= SLL2_HDR_LEN &&
	    strcmp(pcap_afxdp_interface(p->opt.device, name, sizeof(name)),
		   AFXDP_ANY) == 0)
		p->snapshot = SLL2_HDR_LEN + 1;
}

/* Of the device any there are two; filters are set for the one there is. */
static int
set_datalink(pcap_t *p, int dlt)
{
	struct afxdp *a = p->priv;

	a->lib->set_link(a->capture, dlt == DLT_LINUX_SLL ? AFXDP_LINK_SLL
							  : AFXDP_LINK_SLL2);
	return 0;
}

/* Without memory there is just no choice. */
void
pcap_set_links_any(pcap_t *p)
{
	p->linktype = DLT_LINUX_SLL;
	set_datalink(p, p->linktype);
	p->set_datalink_op = set_datalink;
	p->dlt_list = malloc(2 * sizeof(*p->dlt_list));
	if (!p->dlt_list)
		return;
	p->dlt_list[0] = DLT_LINUX_SLL;
	p->dlt_list[1] = DLT_LINUX_SLL2;
	p->dlt_count = 2;
}
