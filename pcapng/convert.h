/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Converts blocks of sections in either byte order to the byte order of this machine, and appends
 * them to a buffer. Functions that return int return 0, -ENOMEM, or -EBADMSG for a malformed block.
 */
#pragma once

#include "util/buffer.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"

/*
 * Copy an interface block. If host is not NULL, the description begins with it. If comment is not
 * empty, it is added as a comment. The snapshot length becomes the largest that libpcap reads,
 * because libpcap refuses a file whose interfaces have different ones.
 */
int convert_interface(struct buffer *to, const struct pcapng_block *b, const char *host,
		      const char *comment);
/* A header of length bytes that takes the place of the first replaced bytes of a frame. */
struct convert_head {
	const void *at;
	uint32_t length, replaced;
};

/* Is the packet longer than libpcap reads? Then convert_packet() cuts it; the caller counts these.
 */
bool convert_cuts(const struct pcapng_packet *p, const struct convert_head *head);
/* How many packets are missing before this one, which replaces the packet's own epb_dropcount. */
struct convert_mark {
	uint64_t dropcount;  /* 0: no epb_dropcount */
	const char *comment; /* added to the packet's own; NULL: none */
};

/* Write a packet of any kind as an Enhanced Packet Block of interface_id. head is a header to put
 * in, or NULL; mark may be NULL, too. */
int convert_packet(struct buffer *to, const struct pcapng_block *b, const struct pcapng_packet *p,
		   uint32_t interface_id, const struct convert_head *head,
		   const struct convert_mark *mark);

/* first and last are in units of the interface's clock. */
struct convert_statistics {
	uint32_t interface_id;
	uint64_t first, last, dropped, delivered;
	const char *comment; /* NULL: none */
};

int convert_statistics(struct buffer *to, const struct convert_statistics *s);
/* Returns the packet's epb_flags, or 0 if it has none. */
uint32_t convert_flags(const struct pcapng_block *b, const struct pcapng_packet *p);
/* Set the link type of the interface block that begins at offset at of the buffer. */
void convert_set_link(struct buffer *b, size_t at, uint16_t link_type);
/* Copy a Name Resolution Block or a Decryption Secrets Block. */
int convert_names(struct buffer *to, const struct pcapng_block *b);
/* Copy a process block. A process is numbered by its place among those of its section. */
int convert_process(struct buffer *to, const struct pcapng_block *b);
