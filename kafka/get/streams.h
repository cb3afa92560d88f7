/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sorts sections, which come in any order, into streams. A stream has its sections in the order of
 * their sequence, each once. The contents of sections are kept in a file that has no name, or in
 * memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kafka/label.h"
#include "util/table.h"

/* Sections of further streams are left out, and the user is told. */
#define STREAMS_MAX 262144u

struct piece {
	uint64_t sequence, through; /* first and last number; of one section the same */
	uint64_t first, last, packets, lost, dropped, behind;
	/* Number of the stream's packets before it, without those lost on the way, and up to its
	 * end. */
	uint64_t begin, end;
	uint64_t things;  /* hash of its content, if it has no packets; 0: only its label is here */
	uint64_t skip;	  /* so many of its packets are in the piece before, too */
	uint64_t arrived; /* time, monotonic */
	uint64_t at;	  /* offset in the file */
	uint8_t *data;	  /* the content in memory; NULL: it is in the file, or done */
	bool is_begun;	  /* it has been read, or is being read */
	size_t length;
};

struct stream {
	char *host, *session, *writer;
	char *interface; /* as in the label of the stream that lists most */
	uint64_t number;
	struct piece *piece; /* in the order of their sequence: see stream_piece() */
	size_t count, room, current;
	size_t gap;	     /* the free places are before this piece */
	uint64_t from_start; /* lowest sequence from a partition that is read from its start */
	uint64_t due;	     /* packets up to this time go out, whatever other streams have */
	bool is_unordered;
};

struct streams {
	struct stream **stream;
	size_t count, room;
	struct table by_name;
	uint64_t beyond; /* sections left out because there are too many streams */
	uint64_t duplicates;
	bool orders_late; /* streams_order() sorts the pieces; no section is kept in memory */
	int file;	  /* -1: sections are kept in memory */
	uint64_t file_size;
	const uint8_t *map; /* the file, mapped once all is there */
};

static inline struct piece *stream_piece(const struct stream *s, size_t i)
{
	return &s->piece[i < s->gap ? i : i + (s->room - s->count)];
}

/* A hash of the stream's name, which stands for the name. */
uint64_t stream_hash(const struct label *l);
/* folder: where the file is made, and sections are sorted late; NULL: sections are kept in memory,
 * and sorted as they come. Returns 0 or -errno. */
int streams_open(struct streams *s, const char *folder);
/* Adds a section; section NULL: only its label. *to: its stream, or NULL if there are too many.
 * Returns 0, 1 if it is a duplicate, or -errno. */
int streams_add(struct streams *s, const struct label *l, const uint8_t *section, size_t length,
		struct stream **to);
/* This section comes from a partition that is read from its first message on. Other sections of the
 * stream may come from other partitions. */
void stream_begins(struct stream *s, uint64_t sequence);
/*
 * Sections that are done are kept before the one being read, to find duplicates and gaps. If there
 * are many, those without a hole between them are merged into one piece.
 */
void streams_settle(struct streams *s);
/* Call this when all sections are added: puts each section in its place, once. */
void streams_order(struct streams *s);
/* The same, and maps the file. Returns 0 or -errno. */
int streams_map(struct streams *s);
/* Where a section's content is; NULL: it was not kept. */
const uint8_t *streams_data(const struct streams *s, const struct piece *p);
/* "host h, session s, stream 0" */
const char *stream_name(const struct stream *s, char *to, size_t room);
/* Calls clash() with one stream of each name that two programs had at the same time. Returns 0 or
 * -ENOMEM. */
typedef void streams_clash(const struct stream *s);
int streams_clashes(const struct streams *s, streams_clash *clash);
void streams_close(struct streams *s);
