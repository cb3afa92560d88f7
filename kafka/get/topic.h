/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Messages of a topic: of all partitions, from a time on, up to what they have now. */
#pragma once

#include "kafka/client.h"
#include "kafka/options.h"

struct topic_partition {
	int64_t low, from, end; /* offsets; end: one more than the last */
	bool done;
	bool is_at_end; /* nothing has come since the brokers said so */
};

struct topic {
	struct client client;
	rd_kafka_queue_t *queue; /* of all partitions */
	struct topic_partition *partition;
	int partitions, left; /* left: those whose end is not reached */
	bool follows;	      /* there is no end */
	rd_kafka_message_t *held;
};

/* Of *address. bytes: of a fetch of one partition; ahead: KB of messages that wait, about. 0, or -1
 * after a complaint. */
int topic_create(struct topic *t, const struct options *o, const char *bytes, const char *ahead);
/* For so many partitions. */
rd_kafka_resp_err_t topic_room(struct topic *t, int partitions);
/* What each of so many partitions has: all of it, or from o->since on. Without a word. */
rd_kafka_resp_err_t topic_range(struct topic *t, const struct options *o, int partitions);
rd_kafka_resp_err_t topic_start(struct topic *t);
/* This part of one partition alone, after the end of what was read before. */
rd_kafka_resp_err_t topic_start_at(struct topic *t, int32_t partition, int64_t from, int64_t end);
/* What follows ends with what is there now. */
void topic_end(struct topic *t);
/* 1: a message, until the next call; 0: none within this time; -1: the end; -2: m->err. */
int topic_next(struct topic *t, int wait_ms, const rd_kafka_message_t **m);
/* The first offset of at least that time, for each partition; -1: none. offset may be ms. */
rd_kafka_resp_err_t topic_times(const struct topic *t, const int64_t *ms, int64_t *offset);
void topic_close(struct topic *t);
