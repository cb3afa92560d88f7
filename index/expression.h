/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The filter expression, compiled for each link type. It decides as "tcpdump -r" does: libpcap
 * compiles it as for a file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pcapng/packet.h"
#include "util/table.h"

struct expression_link;

struct expression {
	const char *text; /* NULL: all packets */
	struct expression_link *link;
	size_t count, room;
	struct table known;    /* numbers of link types */
	struct table left_out; /* link types left out; the user is told of so many: */
#define EXPRESSION_LINKS_TOLD 8
};

/* Returns 0; -EINVAL: the expression can be used for no common link type, and expression_unfit()
 * with number 0 says why; or -ENOMEM. */
int expression_open(struct expression *x, const char *text);
/* Returns the number of a link type for the next two functions, or -ENOMEM. */
int expression_for(struct expression *x, uint16_t link_type);
/* Why the expression cannot be used for that link type; NULL: it can. */
const char *expression_unfit(const struct expression *x, int number);
/* Does the packet match? Its header must be of this machine's byte order: pcapng/turn.h. */
bool expression_takes(const struct expression *x, int number, const struct pcapng_packet *p);
/*
 * Notes that packets of this link type are left out. Returns true if the user is to be told: once
 * per link type, and only for some, because whoever can invent interfaces can invent link types
 * too.
 */
bool expression_leaves_out(struct expression *x, uint16_t link_type);
void expression_close(struct expression *x);
