/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* An output gets records, writes or prints them, and counts them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "packet_text.h"
#include "xdpdump/files/sink.h"

struct keylog;
struct member;

/* Of the capture, for outputs that write it down. */
struct output_context {
	const struct source *sources; /* open */
	unsigned count;
	const char *filter; /* the expression, or NULL */
	uint32_t snaplen;
	bool cooked;			 /* links differ: all packets get a header of LINUX_SLL2 */
	const struct label_book *labels; /* of records; NULL: they have none */
	bool entries;			 /* records have struct epb_entries */
	int zstd_level;			 /* 0: not compressed */
	bool zstd_seekable;
	bool index;  /* of the file, while it is written */
	bool is_fed; /* others read it as it comes */
	bool drops_summary;
	struct packet_style style; /* of text, but for what the rest of this says */
	struct patience patience;  /* of a sink that the output opens itself */
};

/* How the capture went, for a file that ends with it: since the file began. ns since 1970. */
struct output_end {
	const struct afxdp_stats *stats; /* of each source */
	uint64_t start_time, end_time;
};

struct output {
	const struct output_ops *ops;
	const char *name;
	uint64_t packets, bytes; /* that arrived whole, in all files */
	/* Packets and bytes of the present file, before compression; some still on their way. */
	uint64_t taken, length;
	uint64_t due; /* CLOCK_MONOTONIC ns: when it wants a flush, whatever comes; 0: never */
};

/* With a header of its own in place of the frame's: see struct output_context. */
#define OUTPUT_COOKED_MORE 24u /* bytes that a record is longer then, at most */

/* ... and, with a label, in all, with the block of its process before it. */
#define OUTPUT_LABELED_MORE 2048u

/* ... and by a comment with its entries. */
#define OUTPUT_ENTRIES_MORE 160u

/* Records of one source that lie behind each other. */
struct batch {
	const struct source *source;
	const struct epb_header *first, *end; /* end: where the next would be */
	uint64_t n;
	uint64_t sent; /* of these, in the interface block of sent frames, where there are two */
	uint32_t keep; /* 0: whole; else it is one, in memory of our own: so much of its frame */
};

/* No record is longer. */
#define RECORD_MAX (264u << 10)

/* Is there a record of the batch at this place? Its lengths are then to be used, as they are once.
 */
static inline bool batch_has(const struct batch *b, const struct epb_header *at,
			     struct epb_lengths *l)
{
	return epb_measure(at, (const uint8_t *)b->end, l);
}

static inline const struct epb_header *batch_next(const struct epb_header *at,
						  const struct epb_lengths *l)
{
	return (const void *)((const uint8_t *)at + l->total);
}

static inline uint32_t batch_caplen(const struct batch *b, const struct epb_lengths *l)
{
	return b->keep ? b->keep : l->caplen;
}

/*
 * All return 0 or -errno. After a failure the target ends with the last packet that fits, packets
 * says how many there are, and only end and free, which then write nothing more, may be called.
 */
struct output_ops {
	/* -EBADMSG: they are not what they were when they were looked at */
	int (*records)(struct output *o, const struct batch *b);
	/* All records so far leave the process; unless asked for, what is being compressed may
	 * wait for a second */
	int (*flush)(struct output *o, bool asked);
	/* TLS keys: lines of a key log, for packets that come behind them; again: they are those
	 * of a file before, for one that begins. NULL: it has no place for them */
	int (*secrets)(struct output *o, const char *lines, size_t n, bool again);
	/* Nothing more comes from this source: the last words on it. NULL: there are none. */
	int (*end_source)(struct output *o, unsigned source, const struct output_end *end);
	/*
	 * One of many interfaces of a source comes: its block, whose number goes to m->id. And
	 * nothing more comes from it, now being in ns since 1970. NULL: it has no place for them.
	 */
	int (*interface)(struct output *o, const struct source *s, struct member *m);
	int (*end_interface)(struct output *o, const struct member *m, uint64_t now);
	/* The last words. The target, whatever happened, goes to *s, to be closed. */
	int (*end)(struct output *o, const struct output_end *end, struct sink *s);
	/* After end: what follows goes there. NULL: it cannot. The sink is the output's. */
	int (*begin)(struct output *o, struct sink *s, const char *name);
	void (*free)(struct output *o);
};

/* To sink, which is the output's from now on, also on failure. -errno if the beginning cannot be
 * written. */
int output_file_open(struct output **o, struct sink *s, const char *name,
		     const struct output_context *c);
/* The same in the older format, for sources that have one kind of link. */
int output_pcap_open(struct output **o, struct sink *s, const char *name,
		     const struct output_context *c);
/* pcapng, to a taker. */
int output_taker_open(struct output **o, struct sink_taker taker, const char *name,
		      const struct output_context *c);
/* *o, which is open, with a taker beside it; NULL: lines of text. On failure *o stays as it is. */
int output_beside_open(struct output **o, const struct sink_taker *taker,
		       const struct output_context *c);
int output_text_open(struct output **o, const struct output_context *c);
/* What an output does with each record of the batch: with a copy, which others do not write into. */
typedef int output_put(struct output *o, const struct source *s, const struct epb_header *r,
		       uint32_t caplen);
int output_each(struct output *o, const struct batch *b, uint8_t record[RECORD_MAX],
		output_put *put);
/* Of drops alone: how many, and why, each second. */
int output_summary_open(struct output **o, const struct output_context *c);
/* *o, which is open and has a place for keys, with those of the log in front of what they are for.
 * Free *o also on failure. */
int output_secrets_open(struct output **o, struct keylog *keys);
