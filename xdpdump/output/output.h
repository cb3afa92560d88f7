/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* An output receives records, writes or prints them, and counts them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "packet_text.h"
#include "xdpdump/files/sink.h"

struct keylog;
struct member;

/* What outputs need to know about the capture. */
struct output_context {
	const struct source *sources; /* open */
	unsigned count;
	const char *filter; /* the expression, or NULL */
	uint32_t snaplen;
	bool cooked; /* link types differ, so all packets get a LINUX_SLL2 header */
	const struct label_book *labels; /* of the records; NULL: records have none */
	bool entries;			 /* records have struct epb_entries */
	int zstd_level;			 /* 0: not compressed */
	bool zstd_seekable;
	bool index;  /* make an index of the file while it is written */
	bool is_fed; /* others read the capture live */
	bool drops_summary;
	struct packet_style style; /* of text; the fields above override it */
	struct patience patience;  /* of a sink that the output opens itself */
};

/* How the capture went since the file began, for the end of the file. Times are in ns since 1970. */
struct output_end {
	const struct afxdp_stats *stats; /* of each source */
	uint64_t start_time, end_time;
};

struct output {
	const struct output_ops *ops;
	const char *name;
	uint64_t packets, bytes; /* written whole, in all files */
	/* Packets and bytes given to the present file, before compression; some may not be written
	 * yet. */
	uint64_t taken, length;
	uint64_t due; /* CLOCK_MONOTONIC ns at which it needs a flush in any case; 0: never */
};

/* How much longer a record can become: by a cooked header in place of the frame's, */
#define OUTPUT_COOKED_MORE 24u /* bytes */

/* ... by its label, including the process block before the record, */
#define OUTPUT_LABELED_MORE 2048u

/* ... and by a comment with its entries. */
#define OUTPUT_ENTRIES_MORE 160u

/* Contiguous records of one source. */
struct batch {
	const struct source *source;
	const struct epb_header *first, *end; /* end: after the last one */
	uint64_t n;
	uint64_t sent; /* of these, in the block of sent frames, if the source has two */
	uint32_t keep; /* 0: all of each frame; else the batch is one record, in our own memory, and
			  this many bytes of its frame are kept */
};

/* No record is longer. */
#define RECORD_MAX (264u << 10)

/* Is there a record of the batch at this place? The caller then uses the lengths in l and does not
 * read the record's own again, because others may write to that memory.
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
 * All return 0 or -errno. After a failure the target ends with the last packet that fits, and the
 * output's packets field says how many there are. After that, the caller may call only end and
 * free, which write nothing more.
 */
struct output_ops {
	/* Take these records. -EBADMSG: they have changed since they were checked */
	int (*records)(struct output *o, const struct batch *b);
	/* Write all records so far out of the process. If not asked, those being compressed may
	 * wait for up to a second */
	int (*flush)(struct output *o, bool asked);
	/* TLS keys: lines of a key log, for packets that come later. again: the keys were in an
	 * earlier file, and are repeated at the start of this one. NULL: the output has no place
	 * for keys */
	int (*secrets)(struct output *o, const char *lines, size_t n, bool again);
	/* Nothing more comes from this source: write its statistics. NULL: there are none to write.
	 */
	int (*end_source)(struct output *o, unsigned source, const struct output_end *end);
	/*
	 * interface: a source with many interfaces has a new one. Write its block, and store the
	 * block's number in m->id. end_interface: nothing more comes from it; now is in ns since
	 * 1970. NULL: the output has no place for them.
	 */
	int (*interface)(struct output *o, const struct source *s, struct member *m);
	int (*end_interface)(struct output *o, const struct member *m, uint64_t now);
	/* Write what ends the file. The target goes to *s also on failure; the caller closes it. */
	int (*end)(struct output *o, const struct output_end *end, struct sink *s);
	/* Called after end: what follows goes to this sink, which the output then owns. NULL: the
	 * output cannot write to another. */
	int (*begin)(struct output *o, struct sink *s, const char *name);
	void (*free)(struct output *o);
};

/* Open an output of pcapng to a sink. The output owns the sink from now on, also on failure.
 * Returns 0, or -errno, for example if the beginning cannot be written. */
int output_file_open(struct output **o, struct sink *s, const char *name,
		     const struct output_context *c);
/* The same in the older pcap format, for sources that all have the same link type. */
int output_pcap_open(struct output **o, struct sink *s, const char *name,
		     const struct output_context *c);
/* Open an output of pcapng to a taker. */
int output_taker_open(struct output **o, struct sink_taker taker, const char *name,
		      const struct output_context *c);
/* Put an output to a taker (NULL: of text lines) beside *o, which is open, and make *o the pair. On
 * failure *o stays as it is. */
int output_beside_open(struct output **o, const struct sink_taker *taker,
		       const struct output_context *c);
int output_text_open(struct output **o, const struct output_context *c);
/* Call put for each record of the batch, with a copy in record that others cannot write to. */
typedef int output_put(struct output *o, const struct source *s, const struct epb_header *r,
		       uint32_t caplen);
int output_each(struct output *o, const struct batch *b, uint8_t record[RECORD_MAX],
		output_put *put);
/* Open an output for drops only: how many, and why, each second. */
int output_summary_open(struct output **o, const struct output_context *c);
/* Wrap *o, which is open and has a place for keys, so that keys of the log come before the packets
 * that they are for. The caller frees *o also on failure. */
int output_secrets_open(struct output **o, struct keylog *keys);
