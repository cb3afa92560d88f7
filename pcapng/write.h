/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Writes pcapng blocks (draft-ietf-opsawg-pcapng) to memory: nothing here knows of files.
 * Values are in host byte order, which the section header tells the reader.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pcapng/format.h"
#include "bpf/record.h"

struct epb_lengths;

/* Blocks are appended here; one that does not fit sets overflow, and nothing more is appended. */
struct bytes {
	uint8_t *at;
	size_t used, room;
	bool overflow;
};

/* Strings may be NULL: no such option. An option longer than the format allows is cut. */
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

/* A frame that is in no record of ours. */
struct pcapng_frame {
	uint32_t interface_id;
	uint64_t time; /* ns since 1970 */
	uint32_t caplen, len;
	const uint8_t *data;
};

#define PCAPNG_FRAME_SIZE(caplen) (32 + EPB_PADDED(caplen)) /* of its block */
#define PCAPNG_STATISTICS_SIZE	  128			    /* at most, without a comment, */
#define PCAPNG_STATISTICS_COMMENT 768			    /* ... of such a size */

void pcapng_put_section(struct bytes *b, const struct pcapng_section *s);
/* Interfaces are numbered from 0 in the order they are put. Time stamps are in ns. */
void pcapng_put_interface(struct bytes *b, const struct pcapng_interface *i);
/* The record, which has these lengths, with only the first caplen bytes of its frame; options are
 * kept. h: NULL, or a header in place of so many bytes of the frame: pcapng/cooked.h. */
void pcapng_put_record(struct bytes *b, const struct epb_header *r, const struct epb_lengths *l,
		       uint32_t caplen, const struct epb_cooked *h, uint32_t replaced);
/* Such secrets, as they are in memory, in at most so many bytes more. */
#define PCAPNG_SECRETS_EXTRA 24
void pcapng_put_secrets(struct bytes *b, uint32_t type, const void *secrets, size_t n);
/*
 * A process as Apple's tcpdump writes it, which Wireshark shows from 4.6 on: numbered in its
 * section from 0, and in packets EPB_PROCESS.
 */
void pcapng_put_process(struct bytes *b, uint32_t pid, const char *name);
void pcapng_put_frame(struct bytes *b, const struct pcapng_frame *f);
void pcapng_put_statistics(struct bytes *b, const struct pcapng_statistics *s);

/* lost: so far; text: what happened here. */
void pcapng_put_gap(struct bytes *b, uint32_t interface_id, uint64_t time, uint64_t lost,
		    const char *text);
#define PCAPNG_GAP_SIZE 256 /* at most, with a text of 160 */

/*
 * Parts of blocks, for those that are put together elsewhere: from block_begin(), which returns
 * where the block begins, to block_end(). That writes the length at both ends, and takes back a
 * block that did not fit.
 */
size_t block_begin(struct bytes *b, uint32_t type);
void block_put(struct bytes *b, const void *p, size_t n);
void block_u32(struct bytes *b, uint32_t v);
/* Zeros up to a multiple of 4, behind so many bytes. */
void block_padding(struct bytes *b, size_t after);
/* A time stamp: the upper half comes first, whatever the byte order. */
void block_time(struct bytes *b, uint64_t stamp);
void block_option(struct bytes *b, uint16_t code, const void *value, size_t length);
void block_count(struct bytes *b, uint16_t code, uint64_t v);
void block_time_option(struct bytes *b, uint16_t code, uint64_t stamp);
void block_end(struct bytes *b, size_t start);
/* Of a block with options. */
void block_end_options(struct bytes *b, size_t start);
