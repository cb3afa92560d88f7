/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A stream of packets, as it comes: pcapng of any program, or pcap, which is handed out as the
 * blocks of pcapng that say the same.
 */
#pragma once

#include "util/buffer.h"
#include "pcapng/read.h"

#define INPUT_BLOCK_MAX (16u << 20) /* a block that claims to be longer is none */

struct input {
	int fd;
	struct buffer data;
	size_t taken; /* of data */
	enum { INPUT_UNKNOWN, INPUT_PCAPNG, INPUT_PCAP } kind;
	struct pcapng_reader reader;
	bool ended;
	char fault[128]; /* what is wrong with it */
	/* Of pcap. */
	bool swapped;
	unsigned announced; /* blocks in front of the packets */
	uint32_t fraction;  /* ns in a unit of the second part of a time */
	uint32_t snaplen;
	uint16_t major, minor, link_type;
	struct buffer made;   /* the block that says what a packet of pcap says */
	struct buffer turned; /* its frame, where the file is of the other byte order */
};

void input_init(struct input *in, int fd);
/* Read what there is, once: 1, or 0 at the end, or -errno. */
int input_fill(struct input *in);
/*
 * The next whole block, which is sound until the next call: 1. 0: more has to be read, or, at the
 * end, there is no more. -EBADMSG: in->fault says why.
 */
int input_next(struct input *in, struct pcapng_block *b);
/* At the end: bytes that belong to no whole block. */
size_t input_left(const struct input *in);
void input_free(struct input *in);
