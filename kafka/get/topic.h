/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads the messages of a topic: from all its partitions, from a given time on, up to what they
 * have now. */
#pragma once

#include "kafka/client.h"
#include "kafka/options.h"

struct topic_partition {
	int64_t low, from, end; /* offsets; end: one after the last */
	bool done;
	bool is_at_end; /* the brokers said so, and nothing has come since */
};

struct topic {
	struct client client;
	rd_kafka_queue_t *queue; /* messages of all partitions */
	struct topic_partition *partition;
	int partitions, left; /* left: partitions whose end is not reached */
	bool follows;	      /* there is no end */
	rd_kafka_message_t *held;
};

/* Opens t->client.address. bytes: size of a fetch from one partition; ahead: about how many KB of
 * messages are read ahead. Returns 0, or -1 after an error message. */
int topic_create(struct topic *t, const struct options *o, const char *bytes, const char *ahead);
/* Allocates so many partitions. */
rd_kafka_resp_err_t topic_room(struct topic *t, int partitions);
/* Asks which messages each of so many partitions has: all, or those from o->since on. Prints
 * nothing. */
rd_kafka_resp_err_t topic_range(struct topic *t, const struct options *o, int partitions);
rd_kafka_resp_err_t topic_start(struct topic *t);
/* Starts to read only this part of one partition. Call it after the end of what was read before. */
rd_kafka_resp_err_t topic_start_at(struct topic *t, int32_t partition, int64_t from, int64_t end);
/* Ends following: only what the topic has now is still read. */
void topic_end(struct topic *t);
/* Returns 1: a message, valid until the next call; 0: none within wait_ms; -1: the end; -2:
 * (*m)->err says what failed. */
int topic_next(struct topic *t, int wait_ms, const rd_kafka_message_t **m);
/* For each partition, the first offset whose message has at least that time; -1: none. offset and
 * ms may be the same array. */
rd_kafka_resp_err_t topic_times(const struct topic *t, const int64_t *ms, int64_t *offset);
void topic_close(struct topic *t);
