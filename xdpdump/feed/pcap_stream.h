/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Blocks of pcapng, of our own making, as the older pcap format has them, with nanoseconds. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pcapng/packet.h"
#include "pcapng/savefile.h"

/* Of a block with an interface; one that is none has link type 0. */
struct savefile_header pcap_stream_header(const uint8_t *block, size_t n);
/* False: its lengths are wrong. */
bool pcap_stream_packet(struct pcapng_packet *p, const uint8_t *block, size_t n);
/* Of a record, with its header. */
size_t pcap_stream_length(const uint8_t *record);
