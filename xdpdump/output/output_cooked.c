/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "output_cooked.h"
#include "pcapng/cooked.h"
#include "pcapng/format.h"
#include "xdpdump/source/source.h"

bool output_cooks(const struct output_context *c, const struct source *s)
{
	return c->cooked && cooked_takes(source_link_type(s));
}

uint16_t output_link_type(const struct output_context *c, const struct source *s)
{
	return c->cooked ? LINKTYPE_LINUX_SLL2 : source_link_type(s);
}

uint32_t output_snaplen(const struct output_context *c)
{
	uint32_t n = c->cooked ? cooked_length(c->snaplen, 0) : c->snaplen;

	return n < SNAPLEN_MOST ? n : SNAPLEN_MOST;
}

uint32_t output_cook(struct epb_cooked *h, const struct source *s, const struct epb_header *r,
		     const struct epb_lengths *l)
{
	const struct cooked_link link = {.link_type = source_link_type(s),
					 .hatype = s->interface.hatype,
					 .ifindex = s->interface.index};

	return cooked_header(h, &link, epb_frame(r), l->caplen,
			     epb_options_behind(r, l->caplen)->flags);
}
