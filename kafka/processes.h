/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Processes that a stream names, and packets by their number among those of its section. A section
 * that is cut out of it has those that its own packets name, with numbers of its own.
 */
#pragma once

#include "util/buffer.h"
#include "pcapng/read.h"

#define PROCESSES_MOST	 (16u << 20) /* bytes of blocks */
#define PROCESSES_NOBODY UINT32_MAX  /* a number that is none */

struct known_process;

struct processes {
	struct buffer blocks;
	struct known_process *at;
	size_t count, room;
	uint64_t filling; /* the body that has: */
	uint32_t described;
};

/* A block of one, with options in so many bytes. 1: it has fewer. -E2BIG: there are too many. */
int processes_take(struct processes *p, const struct pcapng_block *b, size_t most);
/* All have so many bytes at most. 1: one has fewer options. 0, -EBADMSG or -ENOMEM. */
int processes_resize(struct processes *p, size_t most, bool swapped);
/* Bytes of those that the options of a packet name and the body of that number has not. */
size_t processes_lacking(const struct processes *p, uint64_t filling,
			 const struct pcapng_options *of);
/* Appends these to it. */
int processes_describe(struct processes *p, uint64_t filling, struct buffer *body,
		       const struct pcapng_options *of);
/* Of a packet that the body has, its options, which lie there: its numbers are the body's. */
void processes_number(const struct processes *p, struct buffer *body,
		      struct pcapng_options options);
void processes_forget(struct processes *p);
/* What the number of a process is from now on. */
typedef uint32_t process_number(const void *context, uint32_t number);
/* As processes_number(), of the packet whose block is the last in the buffer, from there on. */
void processes_renumber(struct buffer *to, size_t from, bool swapped, process_number *number,
			const void *context);

/* Of the options of a packet those that name a process, one after the other. False: no more. */
bool processes_next(struct pcapng_options *o, struct pcapng_option *option);
