/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Writes the index of a topic: a record for each acknowledged section. It has a producer of its
 * own, because trouble with the index must not delay or fail a section. A record that is missing
 * costs readers time, and nothing else.
 */
#pragma once

#include "kafka/client.h"
#include "kafka/record.h"

struct indexer {
	struct client client;	   /* its topic is the index's; .kafka NULL: there is no index */
	uint64_t missed;	   /* records that were not written */
	rd_kafka_resp_err_t error; /* error of the first of them */
	bool is_told;
};

struct indexer_record;

/*
 * Opens the index beside the topic of *data. conf: a file with settings, or NULL. Creates the
 * index's topic if it is missing and the brokers answer, unless goes_on: this process continues for
 * one that ended. If something fails, the user is told, and there is no index.
 */
void indexer_open(struct indexer *x, const struct client *data, const char *conf, bool goes_on);
/* Takes up changed settings, as *data has done. */
void indexer_renew(struct indexer *x, const struct client *data, const char *conf);
/* Makes the record of a section; keep it until the section is acknowledged, then free() it. NULL:
 * there is no index, or no memory. */
struct indexer_record *indexer_write(const struct indexer *x, size_t bytes, const struct label *l,
				     const struct keys *keys, uint64_t time);
/* Sends the record: the section lies at this place. The caller still frees it. */
void indexer_add(struct indexer *x, struct indexer_record *r, int32_t partition, int64_t offset);
void indexer_poll(struct indexer *x);
/* Waits at most wait_ms for acknowledgements, then closes. */
void indexer_close(struct indexer *x, int wait_ms);
