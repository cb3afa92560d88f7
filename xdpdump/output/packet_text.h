/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Prints one packet as text: a line in the style of tcpdump or of xdp-tools' xdpdump, or a JSON
 * object. */
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

/* Is text on standard output in color? By default only if that is a terminal and NO_COLOR
 * (no-color.org) is not set. */
bool packet_text_in_color(enum color c);
/* The most bytes of text that a packet of this length takes, including the names of its source. */
size_t packet_text_size(const struct packet_style *style, const struct source *s, uint32_t caplen);
/* Write the text and return its length. room must be at least packet_text_size(). */
size_t packet_text(char *to, size_t room, struct packet_style *style, const struct source *s,
		   const struct epb_header *r, uint32_t caplen);
