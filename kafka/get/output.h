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

/* More than these are left out, and the user is told. Whoever can write to a topic can invent
 * interfaces, and must not be able to fill a disk. */
#define OUTPUT_INTERFACES_MAX 262144u
#define OUTPUT_NAMES_MAX      1048576u

struct output_interface;

struct output {
	const struct options *o;
	int fd;
	mode_t mode;	  /* of the finished file; 0: leave it as it is */
	const char *name; /* name of the file */
	char *words;	  /* the words of the expression in one string; NULL: none */
	struct expression expression;
	uint32_t link;	     /* LINKTYPE_... of all interfaces in the file, or: */
#define LINK_OPEN (1u << 16) /* not decided: the first interface decides */
#define LINK_EACH (2u << 16) /* each interface keeps its own */
	uint32_t written;    /* interface blocks written */
	struct buffer data;
	struct output_interface *interface;
	size_t count, room;
	struct table by_block;
	struct table processes; /* numbers of the process blocks that are written */
	struct table names;	/* blocks of names and secrets that are written */
	uint64_t beyond;	/* packets left out with their interface */
	uint64_t names_beyond;	/* blocks of names left out */
	uint64_t seen;		/* which of the --interface names were seen, a bit each */
	uint64_t packets, last;
	uint64_t disordered; /* packets older than one written before */
	uint64_t shortened;  /* packets cut because libpcap would not read them whole */
	int error;	     /* -errno of a failed write */
};

/* 0, or -1 after a complaint. */
int output_open(struct output *w, const struct options *o);
/* Empties the file and begins it, once there is something to read. Returns 0, or -1 after an error
 * message. */
int output_begin(struct output *w);
/* output_wants(): is the interface asked for? output_knows(): can the filter be used for this link
 * type? */
bool output_wants(const struct output *w, const struct pcapng_block *b);
bool output_knows(struct output *w, uint16_t link_type);
/* output_link_for(): the link type of a file that has only such packets. output_can_have(): may
 * such packets go into a file with w->link? */
uint16_t output_link_for(uint16_t link_type);
bool output_can_have(const struct output *w, uint16_t link_type);
/* Returns the number of an interface, and writes it if it is new and asked for. -EMLINK: there are
 * too many; -EBADMSG: the block is damaged; or another -errno. */
int output_interface(struct output *w, const struct pcapng_block *b, const char *host,
		     const char *comment);
/* output_link(): the interface's link type. output_has(): are its packets written? */
uint16_t output_link(const struct output *w, int interface);
bool output_has(const struct output *w, int interface);
uint64_t output_time(const struct output *w, int interface, uint64_t stamp);
/* The reverse: the stamp for a time, for a packet that has no stamp. */
uint64_t output_stamp(const struct output *w, int interface, uint64_t time);
/* Writes a block of names or secrets, unless it was written before. Returns 0 or -errno. */
int output_names(struct output *w, const struct pcapng_block *b);
/* Writes the block of a process, unless it was written before. *number is its number in the file,
 * or PROCESSES_NOBODY if there are too many. Returns 0 or -errno. */
int output_process(struct output *w, const struct pcapng_block *b, uint32_t *number);
/*
 * Writes the packet if it is asked for. time: its time stamp in ns. processes: for each of the
 * `count` process numbers that the packet may name, the number in the file. gap: what is missing
 * since the previous packet of its stream. A packet that is written says what is missing, and *gap
 * is cleared; if the packet is in the time that was asked for but is not written, what it says
 * itself is added to *gap. Returns 0 or -errno.
 */
int output_packet(struct output *w, const struct pcapng_block *b, const struct pcapng_packet *p,
		  int interface, uint64_t time, const uint32_t *processes, size_t count,
		  struct gap *gap);
/* Counts *gap for the interface, because the stream has no further packet that could say it. */
void output_lacks(struct output *w, int interface, const struct gap *gap);
/* Writes, after all packets, how many each interface has and lacks. Returns 0 or -errno. */
int output_end(struct output *w);
int output_flush(struct output *w);
/* 0, or -1 after a complaint. */
int output_close(struct output *w);
