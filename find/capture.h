/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Blocks of a file, pcapng or pcap: one of pcap is read as a section with one interface, whose
 * stamps are in ns. What a file says of lengths is checked before it is believed.
 */
#pragma once

#include "find/source.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"
#include "pcapng/savefile.h"
#include "util/buffer.h"

/* A block that is longer is taken for damage. */
#define CAPTURE_BLOCK_MOST (64u << 20)

struct capture {
	struct source source;
	struct buffer data;
	size_t at;	   /* in data: what is still to be read */
	uint64_t position; /* of that, in what the file was before it was compressed */
	bool swapped;
	bool is_savefile, has_ended;
	struct savefile_header savefile;
	uint32_t record;    /* length of a record's header there */
	unsigned told;	    /* of its section and its interface */
	uint8_t memory[64]; /* where they lie */
	const char *fault;  /* why the rest cannot be read; NULL: it was read */
	bool is_cut;	    /* the last block is not whole */
};

/* A block; of a packet, what is in it. Until the next one. */
struct capture_item {
	struct pcapng_block block;
	bool is_packet;
	struct pcapng_packet packet;
};

/* fd becomes its own. -ENOMSG: it holds no packets; -ENOTSUP: see source_open(). */
int capture_open(struct capture *c, int fd);
/* Where a granule of an index begins, to read on there. 0, also after a fault, or -errno. */
int capture_seek(struct capture *c, uint64_t position, uint64_t start, uint64_t skip);
/* 1; 0: the end, or a fault; -errno. */
int capture_next(struct capture *c, struct capture_item *to);
void capture_close(struct capture *c);
