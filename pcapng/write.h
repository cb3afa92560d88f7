/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Writes pcapng blocks (draft-ietf-opsawg-pcapng) to memory; nothing here knows about files. Values
 * are in host byte order, which the section header tells the reader.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pcapng/format.h"
#include "bpf/record.h"

struct epb_lengths;

/* Where blocks are appended. A block that does not fit sets overflow, and nothing more is appended
 * after that. */
struct bytes {
	uint8_t *at;
	size_t used, room;
	bool overflow;
};

/* A string that is NULL gives no option. An option longer than the format allows is cut. */
struct pcapng_section {
	const char *hardware, *os, *application, *comment;
};

struct pcapng_interface {
	const char *name, *description, *filter, *os, *hardware;
	const uint8_t *mac; /* 6 bytes, or NULL */
	uint64_t speed;	    /* bits per second; 0: not known */
	uint32_t snaplen;
	uint16_t link_type; /* LINKTYPE_* */
};

/* Times in ns since 1970. */
struct pcapng_statistics {
	uint32_t interface_id;
	uint64_t time, start_time, end_time;
	uint64_t received, dropped_by_interface, accepted, dropped_by_system, delivered;
	const char *comment; /* NULL: none */
};

/* A frame that does not come from one of our records. */
struct pcapng_frame {
	uint32_t interface_id;
	uint64_t time; /* ns since 1970 */
	uint32_t caplen, len;
	const uint8_t *data;
};

#define PCAPNG_FRAME_SIZE(caplen) (32 + EPB_PADDED(caplen)) /* size of its block */
#define PCAPNG_STATISTICS_SIZE	  128			    /* at most, without the comment */
#define PCAPNG_STATISTICS_COMMENT 768			    /* room for the comment, to be added */

void pcapng_put_section(struct bytes *b, const struct pcapng_section *s);
/* Interfaces are numbered from 0 in the order in which they are put. Time stamps are in ns. */
void pcapng_put_interface(struct bytes *b, const struct pcapng_interface *i);
/* Copy the record, which has the lengths l, with only the first caplen bytes of its frame and all
 * of its options. h is NULL, or a header (pcapng/cooked.h) in place of the first replaced bytes of
 * the frame. */
void pcapng_put_record(struct bytes *b, const struct epb_header *r, const struct epb_lengths *l,
		       uint32_t caplen, const struct epb_cooked *h, uint32_t replaced);
/* Write secrets as they are in memory. Their block has at most PCAPNG_SECRETS_EXTRA bytes more. */
#define PCAPNG_SECRETS_EXTRA 24
void pcapng_put_secrets(struct bytes *b, uint32_t type, const void *secrets, size_t n);
/*
 * A process block as Apple's tcpdump writes it; Wireshark shows it from 4.6 on. Processes are
 * numbered from 0 in their section, and packets refer to that number in EPB_PROCESS.
 */
void pcapng_put_process(struct bytes *b, uint32_t pid, const char *name);
void pcapng_put_frame(struct bytes *b, const struct pcapng_frame *f);
void pcapng_put_statistics(struct bytes *b, const struct pcapng_statistics *s);

/* Statistics in the middle of a file: lost is the number of frames lost so far, text what happened
 * here. */
void pcapng_put_gap(struct bytes *b, uint32_t interface_id, uint64_t time, uint64_t lost,
		    const char *text);
#define PCAPNG_GAP_SIZE 256 /* at most, with a text of 160 bytes */

/*
 * Parts of blocks, for blocks that other files put together. block_begin() returns where the block
 * begins. block_end() writes the length at both ends, and removes a block that did not fit.
 */
size_t block_begin(struct bytes *b, uint32_t type);
void block_put(struct bytes *b, const void *p, size_t n);
void block_u32(struct bytes *b, uint32_t v);
/* Append zeros that pad the preceding after bytes to a multiple of 4. */
void block_padding(struct bytes *b, size_t after);
/* Append a time stamp. The upper half comes first in either byte order. */
void block_time(struct bytes *b, uint64_t stamp);
void block_option(struct bytes *b, uint16_t code, const void *value, size_t length);
void block_count(struct bytes *b, uint16_t code, uint64_t v);
void block_time_option(struct bytes *b, uint16_t code, uint64_t stamp);
void block_end(struct bytes *b, size_t start);
/* The same for a block with options: appends the end of options first. */
void block_end_options(struct bytes *b, size_t start);
