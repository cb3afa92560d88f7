/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap-afxdp-any.c: The device "xdp:any", which captures on all interfaces at
 * once, with the link types of libpcap's own "any".
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
 * A record of this device has a LINUX_SLL2 header. For LINUX_SLL, which is
 * shorter, the header is rewritten in place. A VLAN tag stands between header
 * and packet with LINUX_SLL, as on libpcap's own device; with LINUX_SLL2 it
 * stands there too, and the header's protocol is that of the tag.
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

/* As on libpcap's own device: room for either header, and for one byte more. */
void
pcap_raise_snapshot_any(pcap_t *p)
{
	char name[IFNAMSIZ];

	if (p->snapshot <= SLL2_HDR_LEN &&
	    strcmp(pcap_afxdp_interface(p->opt.device, name, sizeof(name)),
		   AFXDP_ANY) == 0)
		p->snapshot = SLL2_HDR_LEN + 1;
}

/* The device has two link types; filters are compiled for the one in use. */
static int
set_datalink(pcap_t *p, int dlt)
{
	struct afxdp *a = p->priv;

	a->lib->set_link(a->capture, dlt == DLT_LINUX_SLL ? AFXDP_LINK_SLL
							  : AFXDP_LINK_SLL2);
	return 0;
}

/* If there is no memory for the list, the application just has no choice. */
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
