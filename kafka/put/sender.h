/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Sends sections, and counts what the brokers have acknowledged and what is lost. */
#pragma once

#include "util/buffer.h"
#include "kafka/client.h"
#include "kafka/label.h"
#include "kafka/put/spool.h"
#include "kafka/put/trouble.h"
#include "kafka/put/window.h"

#define SENDER_STREAMS	     16 /* as many as one capture has */
#define SENDER_SECTION_LEAST 16384

struct indexer;
struct letter;
struct state;

struct tally {
	uint64_t sections, packets, bytes; /* bytes: of sections */
};

struct sender {
	struct client *client;
	struct spool *spool;
	const struct state *state; /* NULL: nobody wants to know */
	struct indexer *indexer;   /* NULL: there is none */
	struct tally acknowledged, lost;
	/* Packets of runs before: acknowledged; too large for the topic; ... of the same capture. */
	uint64_t earlier, earlier_lost, own_lost;
	/* Of sections which brokers or the disk have: packets that they say are missing. */
	uint64_t told, dropped; /* on the way from the host; by it */
	/* Packets of lost sections, until one behind them in their stream shows that they are. */
	uint64_t hole[SENDER_STREAMS];
	uint64_t untold_dropped, untold_behind; /* what those had to say, for the next to say it */
	uint64_t waiting, held;			/* sections that the queue has, and their bytes */
	struct tally alone;			/* of these, what is not in the spool as well */
	struct letter *oldest, *newest;		/* ... in the order in which they were sent */
	uint64_t out;				/* of what waits: librdkafka has it */
	struct letter *kept, *kept_last;	/* the rest, by their turn */
	struct letter *kept_before;		/* of them, which came last; NULL: it went again */
	uint64_t turns;
	struct window window;
	bool keeps; /* what brokers refuse, because there is a spool */
	/* A refusal: nothing is sent until then, monotonic; each time for so long. */
	bool rests;
	uint64_t rest_until, rest_ns, recalled_at;
	rd_kafka_resp_err_t refused; /* what was, and nothing is acknowledged since */
	bool ends;		     /* what is not answered now is spooled, or lost */
	struct trouble trouble;
	uint64_t acknowledged_at; /* the last one, or it began, monotonic */
	uint64_t moved;		  /* when one was answered, or the first came to wait, monotonic */
	uint64_t spill_at; /* no section goes from the queue into the spool before, monotonic */
	uint64_t order;	   /* of the next section */
	uint64_t most;	   /* bytes that it may have */
	uint64_t section;  /* of the largest section that the topic takes, as far as is known */
	uint64_t asked_at; /* when the topic was asked, monotonic */
	bool asks;	   /* it is, before anything is sent again */
	bool unfit_told, uncut_told, older_told, others_told; /* what fits no message */
	bool is_append_time;	   /* the topic has the brokers' time: refused */
	rd_kafka_resp_err_t error; /* why the last one was lost; none: for want of room */
	uint64_t answers;
	bool is_refused; /* something that is in the spool */
};

/* With settings of a producer; before client_create(). 0, or -1 after a complaint. */
int sender_init(struct sender *s, struct client *c, uint64_t queue_bytes, uint64_t section_bytes);
/* The same settings, in another conf. */
int sender_configure(const struct sender *s, struct client *c);
/*
 * Sections have so many bytes at most, those that wait as well; their batches, too, after
 * client_renew(). False: they had no more before.
 */
bool sender_fits(struct sender *s, uint64_t most);
/* Other settings are there: soon another producer sends what waits, and all that comes. */
void sender_renew(struct sender *s);
/*
 * In order: behind what the spool has, there being one. 0: the queue or the spool has it, or it is
 * lost, and counted. -ENOBUFS: there is no room.
 */
int sender_send(struct sender *s, struct buffer *message, const struct label *label);
/* A section that there is no room for. */
void sender_lose(struct sender *s, const struct label *label, size_t bytes);
/*
 * Send what is in the spool, and look for acknowledgements, for so long at most. Where there have
 * been none for a while, a section that the queue alone has goes into the spool as well: what is
 * there survives a kill.
 */
void sender_poll(struct sender *s, int wait_ms);
/* Until all is acknowledged, or none has been for so long; what is not then is spooled or lost. */
void sender_finish(struct sender *s, int wait_ms);
