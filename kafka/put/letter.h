/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A section until its answer comes: the messages that it is sent as, all of it or parts. */
#pragma once

#include <librdkafka/rdkafka.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/buffer.h"

struct indexer_record;
struct sender;
struct spool_file;

/* A message of its own: all of a letter, or a part that is as large as the topic takes. */
struct part {
	struct letter *letter;
	struct buffer section;	       /* empty: all of the letter's */
	struct indexer_record *record; /* NULL: there is no index, or it is not sent yet */
	bool is_out, is_done;	       /* librdkafka has it; the brokers have */
	struct part *next;
};

/* What is counted when the answers come. */
struct letter {
	uint64_t packets, bytes, order;
	/* Packets that it says are missing: in front of it; while put was behind; by the host. */
	uint64_t lost, behind, dropped;
	uint64_t stream;
	struct spool_file *file; /* NULL: it is in memory alone, and in the list of these */
	bool is_earlier;
	struct buffer section; /* empty: parts have it, and nobody will spool it */
	uint64_t held;	       /* bytes of it and of parts */
	struct part *parts;
	uint64_t undone; /* of these */
	uint64_t unfit;	 /* packets that are too large for any part */
	rd_kafka_resp_err_t failed;
	struct letter *before, *after;
	uint64_t key;	     /* of host, session and stream */
	uint64_t turn;	     /* counts all that are to be sent */
	bool is_kept;	     /* librdkafka does not have all of it */
	bool is_ended;	     /* counted, whatever is answered yet */
	struct letter *next; /* of these */
};

/* In front of *at, with that section, which it takes; NULL: all of the letter's. NULL: no memory. */
struct part *letter_add_part(struct letter *l, struct part **at, struct buffer *section);
/*
 * Its parts are as large as the topic takes, but for those that librdkafka has, and what a release
 * before has spooled, which cannot be cut: the brokers refuse it, and it waits. False: the queue
 * has no room for parts beside the section that the spool may need.
 */
bool letter_fit(struct sender *s, struct letter *l);
/* Parts have come or gone, or the spool has it: what the queue holds of it. */
void letter_weigh(struct sender *s, struct letter *l);
/* Librdkafka has something of it. */
bool letter_is_out(const struct letter *l);
/* Something of it is still to be given to librdkafka. */
bool letter_is_wanting(const struct letter *l);
void letter_free(struct letter *l);
struct buffer *part_content(struct part *p);
