/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The processes that a stream describes. Packets refer to them by number, counted within their
 * section. A section that is cut out of the stream describes only those that its own packets name,
 * and numbers them anew.
 */
#pragma once

#include "util/buffer.h"
#include "pcapng/read.h"

#define PROCESSES_MOST	 (16u << 20) /* bytes of blocks */
#define PROCESSES_NOBODY UINT32_MAX  /* the number of no process */

struct known_process;

struct processes {
	struct buffer blocks;
	struct known_process *at;
	size_t count, room;
	uint64_t filling; /* the section body that has this many: */
	uint32_t described;
};

/* Adds a process. Its block is cut to at most `most` bytes by leaving out options. Returns 1 if
 * options were left out, 0, -E2BIG if there are too many bytes of blocks, or -ENOMEM. */
int processes_take(struct processes *p, const struct pcapng_block *b, size_t most);
/* Cuts all blocks to at most `most` bytes. Returns 1 if options were left out, 0, -EBADMSG or
 * -ENOMEM. */
int processes_resize(struct processes *p, size_t most, bool swapped);
/* How many bytes take the processes that these options of a packet name and that the body with the
 * number filling does not have yet? */
size_t processes_lacking(const struct processes *p, uint64_t filling,
			 const struct pcapng_options *of);
/* Appends those processes to the body. */
int processes_describe(struct processes *p, uint64_t filling, struct buffer *body,
		       const struct pcapng_options *of);
/* Replaces the numbers in a packet's options, which lie in the body, by the body's own numbers. */
void processes_number(const struct processes *p, struct buffer *body,
		      struct pcapng_options options);
void processes_forget(struct processes *p);
/* Returns the new number of a process. */
typedef uint32_t process_number(const void *context, uint32_t number);
/* As processes_number(), for the packet whose block begins at from and is the last in the
 * buffer. */
void processes_renumber(struct buffer *to, size_t from, bool swapped, process_number *number,
			const void *context);

/* Finds the next option of a packet that names a process. Returns false if there are no more. */
bool processes_next(struct pcapng_options *o, struct pcapng_option *option);
