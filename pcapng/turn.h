/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Headers of some link types have numbers in the byte order of the capturing host, which is that of
 * the file. A program that copies such a packet into a file of the other byte order has to turn
 * them. libpcap turns them when it reads a file, except for BSD's loopback and IPsec, for which it
 * compiles the filter differently.
 */
#pragma once

#include "pcapng/packet.h"
#include "util/buffer.h"

/* Turn the numbers of a packet of the other byte order. If its link type has any, p->frame then
 * points into room. Returns 0 or -ENOMEM.
 */
int turn_packet(struct pcapng_packet *p, uint16_t link_type, struct buffer *room);
