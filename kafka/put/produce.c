/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "kafka/put/produce.h"
#include "kafka/keys.h"
#include "kafka/section.h"
#include "util/clock.h"

static void add_header(void *headers, const char *name, const char *value)
{
	rd_kafka_header_add(headers, name, -1, value, -1);
}

static void add_keys(rd_kafka_headers_t *headers, const struct buffer *section)
{
	uint8_t keys[INDEX_FILTER_ROOM];
	size_t n = keys_make(section->at, section->used, keys);

	if (n)
		rd_kafka_header_add(headers, KEYS_HEADER, -1, keys, (ssize_t)n);
}

rd_kafka_resp_err_t produce(const struct client *c, const struct buffer *section,
			    const struct label *label, void *opaque)
{
	rd_kafka_headers_t *headers = rd_kafka_headers_new(16);
	char key[512];
	size_t key_length = label_key(label, key, sizeof(key));
	uint64_t moment = section_moment(label, clock_wall());
	rd_kafka_resp_err_t e;

	add_header(headers, "pcapng-kafka", "1");
	add_keys(headers, section);
	label_fields(label, add_header, headers);
	e = rd_kafka_producev(c->kafka, RD_KAFKA_V_RKT(c->topic), RD_KAFKA_V_KEY(key, key_length),
			      RD_KAFKA_V_VALUE(section->at, section->used), RD_KAFKA_V_MSGFLAGS(0),
			      RD_KAFKA_V_TIMESTAMP((int64_t)(moment / NS_PER_MS)),
			      RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_OPAQUE(opaque),
			      RD_KAFKA_V_END);
	if (e)
		rd_kafka_headers_destroy(headers);
	return e;
}
