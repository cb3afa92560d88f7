/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Writes the index of a topic: a record for each section that is acknowledged. It has a producer of
 * its own, because what happens to it must not delay or fail a section. A record that is not
 * written costs whoever reads time, and nothing else.
 */
#pragma once

#include "kafka/client.h"
#include "kafka/record.h"

struct indexer {
	struct client client; /* its topic is that of the index; without .kafka there is none */
	uint64_t missed;      /* records that were not written */
	rd_kafka_resp_err_t error; /* of the first of them */
	bool is_told;
};

struct indexer_record;

/*
 * Beside the topic of *data, with settings of this file, if any. Makes the topic of the index, if
 * it has to and the brokers answer, unless this goes on for one that ended. What does not work is
 * noted: then there is no index.
 */
void indexer_open(struct indexer *x, const struct client *data, const char *conf, bool goes_on);
/* Other settings are there, as *data has them. */
void indexer_renew(struct indexer *x, const struct client *data, const char *conf);
/* Of a section, until it is acknowledged; free() frees it. NULL: there is no index, or no memory.
 */
struct indexer_record *indexer_write(const struct indexer *x, size_t bytes, const struct label *l,
				     const struct keys *keys, uint64_t time);
/* It lies there. */
void indexer_add(struct indexer *x, struct indexer_record *r, int32_t partition, int64_t offset);
void indexer_poll(struct indexer *x);
/* Waits for acknowledgements, for so long at most. */
void indexer_close(struct indexer *x, int wait_ms);
