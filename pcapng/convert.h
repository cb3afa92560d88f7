/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Blocks of sections in either byte order, as blocks of this machine's, into a buffer. */
#pragma once

#include "util/buffer.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"

/*
 * An interface as it is, but that its description begins with the host's name, where it is not
 * NULL, and that the comments of its section are its own. Its snapshot length is the most that
 * libpcap reads, because it reads no file whose interfaces have different ones.
 */
int convert_interface(struct buffer *to, const struct pcapng_block *b, const char *host,
		      const char *comment);
/* A header for a frame in place of so many bytes of it. */
struct convert_head {
	const void *at;
	uint32_t length, replaced;
};

/* Is it longer than libpcap reads? Then it is cut: who asks counts it. */
bool convert_cuts(const struct pcapng_packet *p, const struct convert_head *head);
/* What is missing in front of a packet, in place of what it says itself. */
struct convert_mark {
	uint64_t dropcount;  /* 0: it has none */
	const char *comment; /* one more; NULL: none */
};

/* A packet of any kind as an enhanced one, of that interface; head: NULL, or another; mark, too. */
int convert_packet(struct buffer *to, const struct pcapng_block *b, const struct pcapng_packet *p,
		   uint32_t interface_id, const struct convert_head *head,
		   const struct convert_mark *mark);

/* Stamps are in units of the interface's clock. */
struct convert_statistics {
	uint32_t interface_id;
	uint64_t first, last, dropped, delivered;
	const char *comment; /* NULL: none */
};

int convert_statistics(struct buffer *to, const struct convert_statistics *s);
/* Its epb_flags; 0: it has none. */
uint32_t convert_flags(const struct pcapng_block *b, const struct pcapng_packet *p);
/* Of an interface block in the buffer. */
void convert_set_link(struct buffer *b, size_t at, uint16_t link_type);
/* Names or secrets. */
int convert_names(struct buffer *to, const struct pcapng_block *b);
/* A process: its number is its place among those of its section. */
int convert_process(struct buffer *to, const struct pcapng_block *b);
