/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The keys of a frame: hashes of what an expression may name. They are taken from where libpcap's
 * filters look, not from where a careful parser would: a missing key would hide a packet, one too
 * many only costs time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define INDEX_KEYS_MOST 16
#define INDEX_TAGS_MOST 4 /* keys are found behind at most this many VLAN tags */

struct index_keys {
	uint32_t key[INDEX_KEYS_MOST];
	unsigned n;
};

/* length: 4 or 16 bytes. */
uint32_t index_key_address(const uint8_t *address, unsigned length);
uint32_t index_key_port(uint8_t protocol, uint16_t port);
uint32_t index_key_tag(uint16_t id);
/* Do we know the keys of frames of this link type? If not, a search must read them all. */
bool index_knows(uint16_t link_type);
/* Plain frames of one flow all have the same keys. Returns false if the frame is not that plain. */
struct index_flow {
	uint32_t from, to, ports, protocol;
};
bool index_flow_of(struct index_flow *f, uint16_t link_type, const uint8_t *frame, uint32_t caplen);
void index_keys_of(struct index_keys *k, uint16_t link_type, const uint8_t *frame, uint32_t caplen);
