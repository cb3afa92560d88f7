/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What a section of a file has said so far. Of it goes into the output what packets were found for:
 * their interfaces and processes; names and secrets of the section, once there is one.
 */
#pragma once

#include "find/capture.h"
#include "find/output.h"
#include "index/expression.h"

struct section_interface;

struct section {
	struct output *output; /* NULL: nothing is written, so names are of no use */
	struct expression *expression;
	const char *file; /* its name, for messages */
	struct section_interface *interface;
	size_t count, room;
	struct buffer held;    /* blocks of interfaces and processes */
	struct buffer names;   /* of names and secrets, until the first packet */
	struct buffer process; /* for each: where it is in held, then its number in the output */
	struct buffer made;
	struct buffer turned; /* a packet whose header was of the other byte order, as those are: */
	char comment[512];
	bool has_packet, swapped, turns;
	uint64_t strange;   /* blocks of a type that is not known */
	uint64_t shortened; /* packets that libpcap would not read as long as they were */
};

/* Of a new file. */
void section_begin(struct section *s, const char *file);
/*
 * What is no packet. is_swapped: the file is of the other byte order, in which some headers of
 * packets are. 0, -EBADMSG: it cannot be read; -E2BIG: so many take too much memory; -errno.
 */
int section_take(struct section *s, const struct pcapng_block *b, bool is_swapped);
/* Has it such an interface? Then the packet is cut where that cut it; and its time. */
uint16_t section_link(const struct section *s, const struct pcapng_packet *p);
bool section_has(const struct section *s, struct pcapng_packet *p);
uint64_t section_time(const struct section *s, const struct pcapng_packet *p);
/* 1: the expression takes it, whose header is of this byte order then; 0: it does not; -ENOMEM. */
int section_matches(struct section *s, struct pcapng_packet *p);
/* The packet as a block of the output, in s->made. 0 or -errno. */
int section_make(struct section *s, const struct capture_item *i);
void section_free(struct section *s);
