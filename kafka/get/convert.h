/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Blocks of sections in either byte order, as blocks of this machine's, into a buffer. */
#ifndef KAFKA_CONVERT_H
#define KAFKA_CONVERT_H

#include "kafka/buffer.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"

/*
 * An interface as it is, but that its description begins with the host's name, and that the
 * comments of its section are its own.
 */
int convert_interface(struct buffer *to, const struct pcapng_block *b, const char *host,
		      const char *comment);
/* A packet of any kind as an enhanced one, of that interface; stamp in units of its clock. */
int convert_packet(struct buffer *to, const struct pcapng_block *b, const struct pcapng_packet *p,
		   uint32_t interface_id, uint64_t stamp);
/* Names or secrets. */
int convert_names(struct buffer *to, const struct pcapng_block *b);

#endif
