/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The keys of a frame: hashes of what an expression may name. They are where libpcap's programs
 * look, not where a careful reader would: a key that is missing would hide a packet, one too many
 * costs time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define INDEX_KEYS_MOST 16
#define INDEX_TAGS_MOST 4 /* VLAN tags that are looked behind */

struct index_keys {
	uint32_t key[INDEX_KEYS_MOST];
	unsigned n;
};

/* length: 4 or 16 bytes. */
uint32_t index_key_address(const uint8_t *address, unsigned length);
uint32_t index_key_port(uint8_t protocol, uint16_t port);
uint32_t index_key_tag(uint16_t id);
/* Are the keys of this link's frames known? Else who looks has to read them all. */
bool index_knows(uint16_t link_type);
/* Of the plainest frames: those of the same flow have the same keys. False: who looks takes the
 * keys. */
struct index_flow {
	uint32_t from, to, ports, protocol;
};
bool index_flow_of(struct index_flow *f, uint16_t link_type, const uint8_t *frame, uint32_t caplen);
void index_keys_of(struct index_keys *k, uint16_t link_type, const uint8_t *frame, uint32_t caplen);
