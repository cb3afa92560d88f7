/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads sections out of a topic: from all partitions, from a time on. */
#ifndef KAFKA_FETCH_H
#define KAFKA_FETCH_H

#include "kafka/client.h"
#include "kafka/label.h"
#include "kafka/options.h"

struct fetch_partition;

struct fetch {
	struct client client;
	rd_kafka_queue_t *queue; /* of all partitions */
	struct fetch_partition *partition;
	int partitions, left; /* left: those whose end is not reached */
	bool follows;	      /* there is no end */
	bool is_live;	      /* what was there before is not read */
	uint64_t foreign;     /* messages that are no sections of ours */
	rd_kafka_message_t *held;
};

struct fetched {
	struct label label;
	const uint8_t *section; /* until the next call */
	size_t length;
	const uint8_t *keys; /* NULL: it has none */
	size_t keys_size;
	bool is_from_start; /* its partition is read from the first message on that it has */
};

/* 0, or -1 after a complaint. The end is what the partitions have now. */
int fetch_open(struct fetch *f, const struct options *o);
/* 1: a section; 0: none within this time; -1: the end; -2 after a complaint. */
int fetch_next(struct fetch *f, int wait_ms, struct fetched *to);
void fetch_close(struct fetch *f);

#endif
