/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the line*.c files share: the line as it grows, and the part of the frame still to be read. */
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
	/* Set by line_next(). */
	bool has_next;
	uint16_t type;
	uint32_t frame;
	struct part next;
};

/* The addresses of an IP packet. */
struct ends {
	int family;
	const uint8_t *from, *to;
	bool are_told; /* the line already has them */
	bool is_fragment;
};

__attribute__((format(printf, 2, 3))) void line_print(struct line *l, const char *format, ...);
/* Say that the header of this name is cut off. */
void line_cut(struct line *l, const char *header);
/* Were n bytes of the header captured? If not, say that it is cut off. */
bool line_has(struct line *l, const struct part *p, uint32_t n, const char *header);
void line_address(struct line *l, int family, const uint8_t *address);
/* Print "A > B: ", unless the line already has it. */
void line_ends(struct line *l, const struct ends *e);
/* Count one more nested header. Returns false if there are too many; "..." then says so. */
bool line_deeper(struct line *l);
/*
 * Say what follows this header: the part p, of this ethertype (ETH_P_TEB for an Ethernet frame).
 * frame is the length of the frame that has the type in it. A header calls this last. Only the loop
 * in line.c goes on to the next header, so that nested headers take no stack.
 */
void line_next(struct line *l, uint16_t type, struct part p, uint32_t frame);

void line_ip4(struct line *l, struct part p);
void line_ip6(struct line *l, struct part p);
void line_tcp(struct line *l, const struct ends *e, struct part p);
void line_udp(struct line *l, const struct ends *e, struct part p);
void line_sctp(struct line *l, const struct ends *e, struct part p);
void line_icmp(struct line *l, const struct ends *e, struct part p);
void line_icmp6(struct line *l, const struct ends *e, struct part p);
