/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Writes the output file: one section, with those interfaces that have packets in it. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "find/pages.h"
#include "pcapng/packet.h"
#include "util/buffer.h"
#include "util/table.h"

struct output {
	int fd;
	mode_t mode; /* of the finished file; 0: leave it as it is */
	const char *name;
	bool has_begun;
	struct buffer data;
	struct pages pages;
	struct table known; /* hashes of blocks that are written */
	uint32_t interfaces, processes;
	uint16_t link;
	bool links_differ;
	int error; /* 0: none so far; -EPIPE: the reader has closed the pipe */
};

/* write: the file's name; NULL or "-": standard output. Returns 0, or -1 after an error message. */
int output_open(struct output *w, const char *write);
/* Is this file the output? */
bool output_is(const struct output *w, dev_t device, ino_t inode);
/* Makes the output unreadable for everybody who may not read the open file `from`. Returns 0 or
 * -errno. */
int output_keep_private(struct output *w, int from);
/* Returns the interface's number in the output, or -errno. An interface that is there already is
 * not written again. */
int output_interface(struct output *w, const struct pcapng_block *b, const char *comment);
/* Writes names or secrets, unless they are there already. Returns 0 or -errno. */
int output_names(struct output *w, const struct pcapng_block *b);
/* Returns the number of a process in the output, by which packets name it, or -errno. It is written
 * once. */
int output_process(struct output *w, const struct pcapng_block *b);
int output_block(struct output *w, const uint8_t *block, size_t length);
/* Writes the rest; the file is a valid capture even without packets. Returns 0, or -1 after an
 * error message. */
int output_close(struct output *w);
