/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The file that is written: one section, with the interfaces that packets were found of. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "find/pages.h"
#include "pcapng/packet.h"
#include "util/buffer.h"
#include "util/table.h"

struct output {
	int fd;
	mode_t mode; /* in the end; 0: as it is */
	const char *name;
	bool has_begun;
	struct buffer data;
	struct pages pages;
	struct table known; /* blocks that are written, by what they hold */
	uint32_t interfaces, processes;
	uint16_t link;
	bool links_differ;
	int error; /* -EPIPE: who reads has had enough; 0: none so far */
};

/* write: NULL or "-": standard output. 0, or -1 after a complaint. */
int output_open(struct output *w, const char *write);
/* Is it this file? */
bool output_is(const struct output *w, dev_t device, ino_t inode);
/* Nobody may read what is written who may not read that open file. 0 or -errno. */
int output_keep_private(struct output *w, int from);
/* Its number in the file: one that is there already is not written again. Or -errno. */
int output_interface(struct output *w, const struct pcapng_block *b, const char *comment);
/* Names or secrets: once. */
int output_names(struct output *w, const struct pcapng_block *b);
/* A process that packets are said to be of, by the number that is returned; or -errno. */
int output_process(struct output *w, const struct pcapng_block *b);
int output_block(struct output *w, const uint8_t *block, size_t length);
/* What is there at the end, be it no packet. 0, or -1 after a complaint. */
int output_close(struct output *w);
