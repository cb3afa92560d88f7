/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Cuts a stream of blocks into sections that can each be read alone. A section has a header with a
 * label; the interfaces, names and secrets so far; then packets, comments and all else; then
 * statistics of each interface that had packets. It has at most `most` bytes. Its packets lie
 * within a second, unless time stamps go back by more than that, as they do if two clocks take
 * turns: then it is not cut before an eighth of it is packets. If the blocks of all interfaces take
 * more than a quarter of a section, they are no longer repeated: a section has the first interface,
 * and those that it has packets of. Options that would take a header or an interface block beyond
 * an eighth of a section, or a process block beyond a sixteenth, are left out.
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
 * If names and secrets take more than this many bytes, or more than a quarter of a section, the
 * oldest quarter of them is no longer repeated.
 */
#define SECTION_NAMES_MAX 131072u

struct section_interface;

struct section {
	struct label label;
	size_t most;
	/* What the input's section has said so far. */
	bool swapped;
	struct buffer header;	  /* its section header, with a label that is filled in later */
	size_t label_at;	  /* offset of the label's text in the header */
	struct buffer interfaces; /* interface blocks */
	struct buffer names;	  /* blocks of names and secrets */
	struct section_interface *table;
	size_t interface_count, interface_room;
	struct processes processes; /* a section describes only those that its packets name */
	uint32_t *busy;		    /* interfaces that this section has packets or statistics of */
	size_t busy_count;
	/* The section that is being filled. */
	struct buffer body; /* the whole section from its header on; empty: not begun */
	bool has_content;   /* the body has more than what each section repeats */
	bool has_time;
	bool is_shortened;	/* options of some block were left out, in any section so far */
	size_t statistics_room; /* bytes for the statistics blocks at its end */
	/* If interfaces are not repeated: number of this body, and how many interfaces it
	 * describes. */
	uint64_t filling;
	uint32_t described;
	char fault[128];
};

/* who: a label with host, session, writer and stream. */
void section_init(struct section *s, const struct label *who, size_t most);
/*
 * Returns 0 if the block was taken; 1 if the section must be cut first: then give the same block
 * again; -EMSGSIZE if the block fits into no section; -EBADMSG: s->fault says why; -ENOMEM.
 */
int section_take(struct section *s, const struct pcapng_block *b);
bool section_is_empty(const struct section *s);
/* From now on sections have at most `most` bytes. The section must be empty. Returns 0, -EBADMSG or
 * -ENOMEM. */
int section_resize(struct section *s, size_t most);
/* Is this a statistics block such as section_cut() adds? */
bool section_counts(const struct pcapng_block *b);
/* Has the input begun? Then the section can be cut, even if it is empty. */
bool section_is_begun(const struct section *s);
/*
 * Ends the section, which may be empty. *message gets it, and belongs to the caller; *label gets
 * its label, which says that `lost` packets were lost before it. Without packets, the section's
 * time is now (ns). Returns 0, -EBADMSG or -ENOMEM.
 */
int section_cut(struct section *s, uint64_t lost, uint64_t now, struct buffer *message,
		struct label *label);
/*
 * The time of the section's message, in ns: that of its first packet. If its packets span more than
 * a second it is that of the last packet, but at most half an hour from now, because brokers of
 * Kafka 4.0 refuse messages from more than an hour ahead. So a reader that begins with the messages
 * of one second before T gets all packets from T on.
 */
uint64_t section_moment(const struct label *l, uint64_t now);
void section_free(struct section *s);
