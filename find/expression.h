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
	bool is_search;	  /* what it cannot be used for is told */
	struct expression_link *link;
	size_t count, room;
	struct table known; /* links: their numbers */
	size_t left_out;    /* links that it cannot be used for, of which so many are told: */
#define EXPRESSION_LINKS_TOLD 8
};

/* 0, or -1 after a complaint: it can be used for no common link. */
int expression_open(struct expression *x, const char *text);
/*
 * Number for expression_takes(), or -ENOMEM. is_swapped: the file is of the other byte order. file:
 * for a note where it does not fit the link.
 */
int expression_for(struct expression *x, uint16_t link_type, bool is_swapped, const char *file);
bool expression_takes(struct expression *x, int number, const struct pcapng_packet *p);
void expression_close(struct expression *x);
