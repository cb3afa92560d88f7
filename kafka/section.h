/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Cuts a stream of blocks into sections that can each be read alone: header with a label, the
 * interfaces, names and secrets so far, then packets, comments and all else, and statistics of each
 * interface that had packets. A section has so many bytes at most. Its packets lie within a second,
 * but where stamps go back by more than that, as those of two clocks in turn do: that is no reason
 * to cut until an eighth of it is packets. Interfaces whose blocks are more than a quarter of that
 * are repeated no longer: a section has the first, and those that it has packets of. Of a header
 * and of an interface, options beyond an eighth are left out, of a process those beyond a
 * sixteenth.
 */
#pragma once

#include "util/buffer.h"
#include "kafka/label.h"
#include "kafka/processes.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"

#define SECTION_SPAN_NS 1000000000u
#define SECTION_SIZE	900000u
/*
 * Names and secrets beyond these bytes, or a quarter of a section, are repeated no longer: the
 * oldest quarter of them.
 */
#define SECTION_NAMES_MAX 131072u

struct section_interface;

struct section {
	struct label label;
	size_t most;
	/* Of the input's section so far. */
	bool swapped;
	struct buffer header;	  /* its section header, with an empty label */
	size_t label_at;	  /* where in it */
	struct buffer interfaces; /* their blocks */
	struct buffer names;	  /* names and secrets */
	struct section_interface *table;
	size_t interface_count, interface_room;
	struct processes processes; /* a section has those that its packets name */
	uint32_t *busy;		    /* those that this section has something of */
	size_t busy_count;
	/* Being filled. */
	struct buffer body; /* all of it, from the header on; empty: not begun */
	bool has_content;   /* more than what each section repeats */
	bool has_time;
	bool is_shortened;	/* options of a block were left out, of any so far */
	size_t statistics_room; /* for the blocks at its end */
	/* Of interfaces that are too many to be repeated: which body, and how many it has. */
	uint64_t filling;
	uint32_t described;
	char fault[128];
};

/* who: host, session, writer, stream. */
void section_init(struct section *s, const struct label *who, size_t most);
/*
 * 0: taken. 1: the section has to be cut first; then give the same block again. -EMSGSIZE: it fits
 * into no section. -EBADMSG: s->fault says why. -ENOMEM.
 */
int section_take(struct section *s, const struct pcapng_block *b);
bool section_is_empty(const struct section *s);
/* Sections have so many bytes from now on. It has to be empty. 0, -EBADMSG or -ENOMEM. */
int section_resize(struct section *s, size_t most);
/* The block is one of those that section_cut() adds. */
bool section_counts(const struct pcapng_block *b);
/* Its input has begun: it can be cut, though it is empty. */
bool section_is_begun(const struct section *s);
/*
 * The section so far, which may be empty, is in *message, which belongs to the caller, and *label
 * tells of it. lost goes into the label; now, in ns, is its time where no packet has one.
 */
int section_cut(struct section *s, uint64_t lost, uint64_t now, struct buffer *message,
		struct label *label);
/*
 * The time of its record, in ns: its first packet's. Where packets are over a second apart it is
 * that of the last, but half an hour from now at most: brokers of Kafka 4.0 refuse what is an hour
 * ahead. So whoever begins to read at the records of a second before T has all packets from T on.
 */
uint64_t section_moment(const struct label *l, uint64_t now);
void section_free(struct section *s);
