/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Who sent a frame to whom, for programs to read: the addresses, VLAN tags, protocol and ports in
 * its outer headers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ENDS_TAGS_MAX 4

struct packet_ends {
	const uint8_t *hardware; /* destination, then source; NULL: there is no Ethernet header */
	unsigned tags;
	uint16_t tag[ENDS_TAGS_MAX]; /* VLAN ids, the outer one first */
	bool has_type;
	uint16_t type; /* the ethertype after the tags */
	int family;    /* 0: not an IP packet, or its header is cut off */
	const uint8_t *from, *to;
	uint8_t protocol; /* after the extension headers */
	bool is_fragment;
	bool has_ports;
	uint16_t from_port, to_port;
	bool has_flags;
	uint8_t flags; /* of TCP */
};

/* Fields that are cut off, or were never there, stay 0 or NULL. The pointers point into the frame.
 */
void packet_ends(struct packet_ends *e, uint16_t link_type, const uint8_t *frame, uint32_t caplen,
		 uint32_t len);
