/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sections as they come, in any order, as streams: those of one stream in the order of their
 * sequence, each once. What a section holds lies in a file that has no name, or in memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kafka/label.h"
#include "util/table.h"

/* Sections of more are left out, which is told. */
#define STREAMS_MAX 262144u

struct piece {
	uint64_t sequence, through; /* of one section; of some that are done, from and to */
	uint64_t first, last, packets, lost, dropped, behind;
	/* Packets of the stream in front of it, without those lost on the way, and up to its end. */
	uint64_t begin, end;
	uint64_t things;  /* a hash of what it holds, if no packets; 0: its label alone */
	uint64_t skip;	  /* of its packets, so many are in the one in front */
	uint64_t arrived; /* monotonic */
	uint64_t at;	  /* in the file */
	uint8_t *data;	  /* in memory; NULL: in the file, or done */
	bool is_begun;	  /* it has been read, or is being read */
	size_t length;
};

struct stream {
	char *host, *session, *writer;
	char *interface; /* as in the last label */
	uint64_t number;
	struct piece *piece; /* by their sequence: stream_piece() */
	size_t count, room, current;
	size_t gap; /* in front of this one are the free places: the next often comes there, too */
	uint64_t from_start; /* the first section of a partition that is read from its beginning */
	uint64_t due;	     /* up to here its packets go out, whatever those of others are */
	bool is_unordered;
};

struct streams {
	struct stream **stream;
	size_t count, room;
	struct table by_name;
	uint64_t beyond; /* sections of streams that are left out */
	uint64_t duplicates;
	bool orders_late; /* by streams_order(): no section is kept in memory */
	int file;	  /* -1: sections are kept in memory */
	uint64_t file_size;
	const uint8_t *map; /* of the file, once all is there */
};

static inline struct piece *stream_piece(const struct stream *s, size_t i)
{
	return &s->piece[i < s->gap ? i : i + (s->room - s->count)];
}

/* Of its stream: as good as its name. */
uint64_t stream_hash(const struct label *l);
/* folder: where the file is made, and sections are ordered late; NULL: in memory. 0 or -errno. */
int streams_open(struct streams *s, const char *folder);
/* section NULL: only what its label says. 1: it is there already; 0; -errno. *to: its stream, or
 * NULL: there are too many. */
int streams_add(struct streams *s, const struct label *l, const uint8_t *section, size_t length,
		struct stream **to);
/* That section comes from a partition which is read from its first one on: others of the stream may
 * come from another. */
void stream_begins(struct stream *s, uint64_t sequence);
/*
 * Sections that are done, and in front of the one being read, are kept to find duplicates and gaps:
 * where there are many, those without a hole between them become one.
 */
void streams_settle(struct streams *s);
/* Nothing more comes: each section has its place, once. */
void streams_order(struct streams *s);
/* ... and read the file. */
int streams_map(struct streams *s);
/* Where a section is; NULL: what it held was not kept. */
const uint8_t *streams_data(const struct streams *s, const struct piece *p);
/* "host h, session s, stream 0" */
const char *stream_name(const struct stream *s, char *to, size_t room);
/* The first of each name that two programs or more had at one time. 0 or -ENOMEM. */
typedef void streams_clash(const struct stream *s);
int streams_clashes(const struct streams *s, streams_clash *clash);
void streams_close(struct streams *s);
