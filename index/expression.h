/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The expression, for each link type. It decides as "tcpdump -r" does: by libpcap, for a file. */
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
	struct table known;    /* link types: their numbers */
	struct table left_out; /* link types, of which so many are told: */
#define EXPRESSION_LINKS_TOLD 8
};

/* 0; -EINVAL: it can be used for no common link, and expression_unfit() of number 0 says why;
 * -ENOMEM. */
int expression_open(struct expression *x, const char *text);
/* Number for the next two, or -ENOMEM. */
int expression_for(struct expression *x, uint16_t link_type);
/* Why it takes nothing there; NULL: it can be used for that link. */
const char *expression_unfit(const struct expression *x, int number);
/* The packet's header is of this machine's byte order: pcapng/turn.h. */
bool expression_takes(const struct expression *x, int number, const struct pcapng_packet *p);
/*
 * Packets of this link type are left out, whatever for. Is that to be told? Once, and of some only:
 * whoever makes up interfaces makes up link types, too.
 */
bool expression_leaves_out(struct expression *x, uint16_t link_type);
void expression_close(struct expression *x);
