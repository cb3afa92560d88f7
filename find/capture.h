/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Reads the blocks of a pcapng or pcap file. A pcap file is read as a section with one interface,
 * whose time stamps are in ns. Lengths in the file are checked before they are used.
 */
#pragma once

#include "find/source.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"
#include "pcapng/savefile.h"
#include "util/buffer.h"

/* A longer block is taken for damage. */
#define CAPTURE_BLOCK_MOST (64u << 20)

struct capture {
	struct source source;
	struct buffer data;
	size_t at;	   /* offset in data of what is still to be read */
	uint64_t position; /* its offset in the uncompressed file */
	bool swapped;
	bool is_savefile, has_ended;
	struct savefile_header savefile;
	uint32_t record;    /* length of a packet's header in a pcap file */
	unsigned told;	    /* how many of section and interface were handed out */
	uint8_t memory[64]; /* their blocks */
	const char *fault;  /* why the rest cannot be read; NULL: no fault */
	bool is_cut;	    /* the file ends inside a block */
};

/* A block, and for a packet its content. Valid until the next one. */
struct capture_item {
	struct pcapng_block block;
	bool is_packet;
	struct pcapng_packet packet;
};

/* Opens a capture, which owns fd from now on: call capture_close() also after an error. Returns 0;
 * -ENOMSG: the file is no capture; -ENOTSUP: as source_open(); or another -errno. */
int capture_open(struct capture *c, int fd);
/* Goes on reading where a granule of an index begins. Returns 0, also after a fault, or -errno. */
int capture_seek(struct capture *c, uint64_t position, uint64_t start, uint64_t skip);
/* Reads the next block. Returns 1; 0: the end, or a fault; or -errno. */
int capture_next(struct capture *c, struct capture_item *to);
void capture_close(struct capture *c);
