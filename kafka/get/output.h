/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The file that get writes: one section, with the interfaces of all hosts. */
#pragma once

#include <sys/types.h>

#include "util/buffer.h"
#include "index/expression.h"
#include "kafka/get/gap.h"
#include "kafka/options.h"
#include "util/table.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"

/* More are left out, which is told: what has a topic's interfaces made up must not fill a disk. */
#define OUTPUT_INTERFACES_MAX 262144u
#define OUTPUT_NAMES_MAX      1048576u

struct output_interface;

struct output {
	const struct options *o;
	int fd;
	mode_t mode;	  /* of the file in the end; 0: as it is */
	const char *name; /* of the file */
	char *words;	  /* of the expression, as one; NULL: none */
	struct expression expression;
	uint32_t link;	     /* LINKTYPE_... of all its interfaces, or: */
#define LINK_OPEN (1u << 16) /* the first one decides */
#define LINK_EACH (2u << 16) /* each has its own */
	uint32_t written;    /* blocks of interfaces */
	struct buffer data;
	struct output_interface *interface;
	size_t count, room;
	struct table by_block;
	struct table processes; /* those that are written: their numbers */
	struct table names;	/* those blocks of names and secrets that are written */
	uint64_t beyond;	/* packets of interfaces that are left out */
	uint64_t names_beyond;	/* blocks that are left out */
	uint64_t seen;		/* names of interfaces that were asked for, a bit each */
	uint64_t packets, last;
	uint64_t disordered; /* packets that are older than one before */
	uint64_t shortened;  /* packets that libpcap would not read as long as they were */
	int error;	     /* -errno of writing */
};

/* 0, or -1 after a complaint. */
int output_open(struct output *w, const struct options *o);
/* Once there is something to read: what was in the file goes. 0, or -1 after a complaint. */
int output_begin(struct output *w);
/* Is an interface asked for? Does the filter know its link? */
bool output_wants(const struct output *w, const struct pcapng_block *b);
bool output_knows(struct output *w, uint16_t link_type);
/* Of a file that has such packets alone; may a file with link w->link have them, too? */
uint16_t output_link_for(uint16_t link_type);
bool output_can_have(const struct output *w, uint16_t link_type);
/* The number of an interface, which is written if it is new. -EMLINK: there are too many. */
int output_interface(struct output *w, const struct pcapng_block *b, const char *host,
		     const char *comment);
/* Its link; is it in the file? */
uint16_t output_link(const struct output *w, int interface);
bool output_has(const struct output *w, int interface);
uint64_t output_time(const struct output *w, int interface, uint64_t stamp);
/* ... and back, for a packet that has none. */
uint64_t output_stamp(const struct output *w, int interface, uint64_t time);
/* Names or secrets, each once. */
int output_names(struct output *w, const struct pcapng_block *b);
/* Its number among those of the file, where it stands once; PROCESSES_NOBODY: there are too many. */
int output_process(struct output *w, const struct pcapng_block *b, uint32_t *number);
/*
 * What was asked for is written; the rest is not. time: its stamp in ns. processes: the numbers in
 * the file of those that it may name, so many. gap: what is missing since the packet before of its
 * stream, which the packet tells: then there is none any more. One that is not written adds to it
 * what it tells itself.
 */
int output_packet(struct output *w, const struct pcapng_block *b, const struct pcapng_packet *p,
		  int interface, uint64_t time, const uint32_t *processes, size_t count,
		  struct gap *gap);
/* No packet of that stream comes any more to tell it. */
void output_lacks(struct output *w, int interface, const struct gap *gap);
/* Nothing more comes: what each interface has, and what it lacks. */
int output_end(struct output *w);
int output_flush(struct output *w);
/* 0, or -1 after a complaint. */
int output_close(struct output *w);
