/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Reads a stream of packets: pcapng of any program, or pcap, which is handed out as pcapng blocks
 * that say the same.
 */
#pragma once

#include "util/buffer.h"
#include "pcapng/read.h"

#define INPUT_BLOCK_MAX (16u << 20) /* a longer block is taken for damage */

struct input {
	int fd;
	struct buffer data;
	size_t taken; /* bytes of data that were handed out */
	enum { INPUT_UNKNOWN, INPUT_PCAPNG, INPUT_PCAP } kind;
	struct pcapng_reader reader;
	bool ended;
	char fault[128]; /* what is wrong with the input */
	/* Used for pcap. */
	bool swapped;
	unsigned announced; /* how many blocks before the packets were handed out */
	uint32_t fraction;  /* ns per unit of the second part of a time stamp */
	uint32_t snaplen;
	uint16_t major, minor, link_type;
	struct buffer made;   /* the block made from pcap's header or packet */
	struct buffer turned; /* the frame, if the file is of the other byte order */
};

void input_init(struct input *in, int fd);
/* Reads what there is, once. Returns 1, 0 at the end, or -errno. */
int input_fill(struct input *in);
/*
 * Finds the next whole block. Returns 1: *b is valid until the next call; 0: more has to be read,
 * or at the end there is no more; -EBADMSG: in->fault says why; -ENOMEM.
 */
int input_next(struct input *in, struct pcapng_block *b);
/* At the end: how many bytes belong to no whole block. */
size_t input_left(const struct input *in);
void input_free(struct input *in);
