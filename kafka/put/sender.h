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
	uint64_t sections, packets, bytes; /* bytes: size of the sections */
};

struct sender {
	struct client *client;
	struct spool *spool;
	const struct state *state; /* NULL: nobody asked for it */
	struct indexer *indexer;   /* NULL: there is none */
	struct tally acknowledged, lost;
	/* Packets of earlier runs: acknowledged; too large for the topic; of these, this
	 * capture's. */
	uint64_t earlier, earlier_lost, own_lost;
	/* Missing packets, if a section that brokers or the disk have says that they are
	 * missing. */
	uint64_t told, dropped; /* told: lost after the host; dropped: by the host */
	/* Packets of lost sections by stream, until a later section shows that they are missing. */
	uint64_t hole[SENDER_STREAMS];
	uint64_t untold_dropped, untold_behind; /* for the next section to say */
	uint64_t waiting, held;			/* sections in the queue, and their bytes */
	struct tally alone;			/* those of them that are not in the spool too */
	struct letter *oldest, *newest;		/* a list of these, in order */
	uint64_t out;				/* parts that librdkafka has */
	struct letter *kept, *kept_last;	/* letters that it lacks, by turn: kept.h */
	struct letter *kept_before;		/* the one added last; NULL: it was taken */
	uint64_t turns;
	struct window window;
	bool keeps; /* what brokers refuse is kept, because there is a spool */
	/* After a refusal nothing is sent until rest_until, monotonic; the pause is rest_ns. */
	bool rests;
	uint64_t rest_until, rest_ns, recalled_at;
	rd_kafka_resp_err_t refused; /* last refusal; reset by an acknowledgement */
	bool ends;		     /* what is not answered now is spooled or lost */
	struct trouble trouble;
	uint64_t acknowledged_at; /* last acknowledgement, or the start, monotonic */
	uint64_t moved;		  /* last answer, or when the first came to wait, monotonic */
	uint64_t spill_at; /* before this nothing goes from the queue to the spool, monotonic */
	uint64_t order;	   /* number of the next section */
	uint64_t most;	   /* bytes that the queue may hold */
	uint64_t section;  /* bytes of the largest section that the topic takes, as far as known */
	uint64_t asked_at; /* when the topic was asked, monotonic */
	bool asks;	   /* ask it before anything is sent again */
	bool unfit_told, uncut_told, older_told, others_told; /* told about what fits no message */
	bool is_append_time;	   /* the topic uses the brokers' time, which we refuse */
	rd_kafka_resp_err_t error; /* why the last one was lost; no error: no room */
	uint64_t answers;
	bool is_refused; /* brokers refused something, and the spool may have it */
};

/* Sets up the sender and the producer's settings. Call it before client_create(). Returns 0, or -1
 * after an error message. */
int sender_init(struct sender *s, struct client *c, uint64_t queue_bytes, uint64_t section_bytes);
/* Writes the same settings to c->conf. Returns 0, or -1 after an error message. */
int sender_configure(const struct sender *s, struct client *c);
/*
 * From now on sections have at most `most` bytes, those that wait too, and after client_renew()
 * their batches. Returns false if they were no larger before.
 */
bool sender_fits(struct sender *s, uint64_t most);
/* Settings have changed: soon another producer sends what waits, and all that comes. */
void sender_renew(struct sender *s);
/*
 * Sends the section after all that the spool has, if there is a spool. Returns 0: the queue or the
 * spool has it; -ENOBUFS: there is no room. After 0 *message is taken if the queue has it.
 */
int sender_send(struct sender *s, struct buffer *message, const struct label *label);
/* Counts a section as lost, for which there was no room. */
void sender_lose(struct sender *s, const struct label *label, size_t bytes);
/*
 * Sends what is in the spool, and looks for acknowledgements, for at most wait_ms. If there have
 * been none for a while, sections that only the queue has go to the spool too, because what is
 * there survives a kill.
 */
void sender_poll(struct sender *s, int wait_ms);
/* Waits until all is acknowledged, or nothing has been answered for wait_ms. What is left then is
 * spooled or lost. */
void sender_finish(struct sender *s, int wait_ms);
