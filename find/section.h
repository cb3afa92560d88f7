/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What a section of an input file has said so far. The output gets the interfaces and processes
 * that found packets name, and the section's names and secrets once one of its packets is found.
 */
#pragma once

#include "find/capture.h"
#include "find/output.h"
#include "index/expression.h"

struct section_interface;

struct section {
	struct output *output; /* NULL: nothing is written, so names are not kept */
	struct expression *expression;
	const char *file; /* name of the file, for messages */
	struct section_interface *interface;
	size_t count, room;
	struct buffer held;    /* blocks of its interfaces and processes */
	struct buffer names;   /* blocks of names and secrets, until the first packet is found */
	struct buffer process; /* of struct process: offset in held, number in the output */
	struct buffer made;
	struct buffer turned; /* a packet's header, turned to our byte order */
	char comment[512];
	bool has_packet, swapped, turns;
	uint64_t strange;   /* blocks of unknown types */
	uint64_t shortened; /* packets cut because libpcap would not read them whole */
};

/* Begins a new file. */
void section_begin(struct section *s, const char *file);
/*
 * Takes a block that is not a packet. is_swapped: the file is of the other byte order, and so are
 * the headers of some packets. Returns 0; -EBADMSG: the block cannot be read; -E2BIG: its
 * interfaces and processes take too much memory; or -errno.
 */
int section_take(struct section *s, const struct pcapng_block *b, bool is_swapped);
/* section_has(): does the section have the packet's interface? If so, a simple packet is cut to
 * that interface's snaplen. section_link() and section_time(): the packet's link type, and its time
 * in ns. */
uint16_t section_link(const struct section *s, const struct pcapng_packet *p);
bool section_has(const struct section *s, struct pcapng_packet *p);
uint64_t section_time(const struct section *s, const struct pcapng_packet *p);
/* Does the expression match? Returns 1 or 0, or -ENOMEM. The packet's header is then of our byte
 * order. */
int section_matches(struct section *s, struct pcapng_packet *p);
/* Makes the packet's output block in s->made. Returns 0 or -errno. */
int section_make(struct section *s, const struct capture_item *i);
void section_free(struct section *s);
