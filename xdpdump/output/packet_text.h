/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* One packet as text: a line in the words of tcpdump or of xdp-tools' xdpdump, or an object of
 * JSON. */
#pragma once

#include "capture/afxdpcapture.h"
#include "time_text.h"
#include "xdpdump/plan/plan.h"

struct source;

struct packet_style {
	bool hex;   /* with the bytes */
	bool color; /* lines only */
	bool json;
	bool xdp_tools;			 /* lines in its words */
	bool details;			 /* numbers of TCP; CPU, queue and number of the packet */
	bool hardware;			 /* addresses of Ethernet */
	bool netns;			 /* in front of the interface */
	const struct label_book *labels; /* NULL: records have none */
	bool entries;			 /* records have struct epb_entries */
	struct time_text time;
};

/* On standard output; by itself only where that is a terminal and NO_COLOR (no-color.org) is not
 * set. */
bool packet_text_in_color(enum color c);
/* Bytes of text that a packet of this length has at most, its source's names included. */
size_t packet_text_size(const struct packet_style *style, const struct source *s, uint32_t caplen);
/* Its length; room is as large as packet_text_size() says. */
size_t packet_text(char *to, size_t room, struct packet_style *style, const struct source *s,
		   const struct epb_header *r, uint32_t caplen);
