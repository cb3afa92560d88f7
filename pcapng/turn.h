/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Headers of some link types have numbers in the byte order of who captured, which is that of the
 * file. Whoever puts such a packet of the other byte order into a file of this one has to turn
 * them; libpcap does where it reads a file, but for BSD's loopback and IPsec, which it compiles
 * another filter for.
 */
#pragma once

#include "pcapng/packet.h"
#include "util/buffer.h"

/* Of a packet of the other byte order. Its frame is then in room, if it has such numbers. -ENOMEM.
 */
int turn_packet(struct pcapng_packet *p, uint16_t link_type, struct buffer *room);
