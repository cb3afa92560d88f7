/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A section until its answer comes, with the messages that it is sent as: one with all of it, or
 * several parts. */
#pragma once

#include <librdkafka/rdkafka.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/buffer.h"

struct indexer_record;
struct sender;
struct spool_file;

/* One message: the whole section, or a part that is as large as the topic takes. */
struct part {
	struct letter *letter;
	struct buffer section;	       /* empty: the letter's whole section */
	struct indexer_record *record; /* NULL: there is no index, or the part is not sent yet */
	bool is_out, is_done;	       /* librdkafka has it; the brokers have acknowledged it */
	struct part *next;
};

/* Here is what to count when the answers come. */
struct letter {
	uint64_t packets, bytes, order;
	/* Packets that the section says are missing: lost before it; while put was too slow; by the
	 * host. */
	uint64_t lost, behind, dropped;
	uint64_t stream;
	struct spool_file
		*file; /* NULL: it is only in memory, and in the list from oldest to newest */
	bool is_earlier;
	struct buffer section; /* empty: the parts have its content, and it will not be spooled */
	uint64_t held;	       /* bytes of the section and of parts */
	struct part *parts;
	uint64_t undone; /* parts that are not acknowledged */
	uint64_t unfit;	 /* packets too large for any part */
	rd_kafka_resp_err_t failed;
	struct letter *before, *after;
	uint64_t key;	     /* hash of host, session and stream */
	uint64_t turn;	     /* its place in the order of sending */
	bool is_kept;	     /* librdkafka does not have all of it */
	bool is_ended;	     /* already counted, whatever answers still come */
	struct letter *next; /* the next that is kept */
};

/* Inserts a part before *at. The part takes *section; NULL: it stands for the letter's whole
 * section. Returns NULL if there is no memory. */
struct part *letter_add_part(struct letter *l, struct part **at, struct buffer *section);
/*
 * Cuts the letter's parts to what the topic takes. Parts that librdkafka has stay, and so does what
 * an older release has spooled, which cannot be cut: the brokers refuse it, and it waits. Returns
 * false if the letter must wait, because the queue has no room for parts beside the section, which
 * the spool may need.
 */
bool letter_fit(struct sender *s, struct letter *l);
/* Call this when parts have come or gone, or the spool has the section: counts anew what the queue
 * holds of it. */
void letter_weigh(struct sender *s, struct letter *l);
/* Does librdkafka have a part of it? */
bool letter_is_out(const struct letter *l);
/* Is a part of it still to be given to librdkafka? */
bool letter_is_wanting(const struct letter *l);
void letter_free(struct letter *l);
struct buffer *part_content(struct part *p);
