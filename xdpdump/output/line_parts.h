/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the files of the line share: the line as it grows, and what is still to be read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pcapng/part.h"

struct line {
	char *at;
	size_t used, room;
	unsigned depth; /* headers in headers so far */
	unsigned more;	/* enum line_more */
	/* What line_next() says. */
	bool has_next;
	uint16_t type;
	uint32_t frame;
	struct part next;
};

/* Of an IP packet. */
struct ends {
	int family;
	const uint8_t *from, *to;
	bool are_told; /* the line has them */
	bool is_fragment;
};

__attribute__((format(printf, 2, 3))) void line_print(struct line *l, const char *format, ...);
/* The header so called is not wholly there. */
void line_cut(struct line *l, const char *header);
/* Are so many bytes of it there? Else it is cut. */
bool line_has(struct line *l, const struct part *p, uint32_t n, const char *header);
void line_address(struct line *l, int family, const uint8_t *address);
/* "A > B: ", unless the line has it. */
void line_ends(struct line *l, const struct ends *e);
/* One more header in another; false: there are too many, and "..." says so. */
bool line_deeper(struct line *l);
/*
 * The line goes on with this: an ethertype, ETH_P_TEB being an Ethernet frame. frame is how long
 * the frame is that the type stands in. Said last by a header; who reads it is in line.c alone, so
 * that headers in headers take no stack.
 */
void line_next(struct line *l, uint16_t type, struct part p, uint32_t frame);

void line_ip4(struct line *l, struct part p);
void line_ip6(struct line *l, struct part p);
void line_tcp(struct line *l, const struct ends *e, struct part p);
void line_udp(struct line *l, const struct ends *e, struct part p);
void line_sctp(struct line *l, const struct ends *e, struct part p);
void line_icmp(struct line *l, const struct ends *e, struct part p);
void line_icmp6(struct line *l, const struct ends *e, struct part p);
