/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdlib.h>

#include "kafka/put/produce.h"
#include "kafka/keys.h"
#include "kafka/section.h"
#include "util/clock.h"

static void add_header(void *headers, const char *name, const char *value)
{
	rd_kafka_header_add(headers, name, -1, value, -1);
}

static void add_keys(rd_kafka_headers_t *headers, const struct keys *k)
{
	if (k->size)
		rd_kafka_header_add(headers, KEYS_HEADER, -1, k->all, (ssize_t)k->size);
}

/* The message's time in ms. To librdkafka 0 means none: it would then use the time of sending. */
static uint64_t moment(const struct label *label)
{
	uint64_t now = clock_wall(), ms = section_moment(label, now) / NS_PER_MS;

	return ms ? ms : now / NS_PER_MS;
}

rd_kafka_resp_err_t produce(const struct client *c, const struct indexer *x,
			    const struct buffer *section, const struct label *label, void *opaque,
			    struct indexer_record **record)
{
	rd_kafka_headers_t *headers = rd_kafka_headers_new(16);
	char key[512];
	size_t key_length = label_key(label, key, sizeof(key));
	uint64_t ms = moment(label);
	rd_kafka_resp_err_t e;
	struct keys keys;

	keys_make(section->at, section->used, &keys);
	free(*record); /* the section was sent before */
	*record = indexer_write(x, section->used, label, &keys, ms);
	add_header(headers, "pcapng-kafka", "1");
	add_keys(headers, &keys);
	label_fields(label, add_header, headers);
	e = rd_kafka_producev(c->kafka, RD_KAFKA_V_RKT(c->topic), RD_KAFKA_V_KEY(key, key_length),
			      RD_KAFKA_V_VALUE(section->at, section->used), RD_KAFKA_V_MSGFLAGS(0),
			      RD_KAFKA_V_TIMESTAMP((int64_t)ms), RD_KAFKA_V_HEADERS(headers),
			      RD_KAFKA_V_OPAQUE(opaque), RD_KAFKA_V_END);
	if (e)
		rd_kafka_headers_destroy(headers);
	return e;
}
