/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdlib.h>
#include <string.h>

#include "index/filter.h"
#include "kafka/label.h"
#include "kafka/put/limit.h"

#define WAIT_MS 2000
/* What is around a section: a batch, its key, and headers, of which these are the largest. */
#define AROUND (INDEX_FILTER_ROOM + 2 * LABEL_ROOM + 1024)

static uint64_t find(rd_kafka_event_t *event)
{
	const rd_kafka_DescribeConfigs_result_t *result =
		rd_kafka_event_DescribeConfigs_result(event);
	const rd_kafka_ConfigResource_t **resource = NULL;
	const rd_kafka_ConfigEntry_t **entry = NULL;
	size_t n = 0;

	if (result && !rd_kafka_event_error(event))
		resource = rd_kafka_DescribeConfigs_result_resources(result, &n);
	if (!n || rd_kafka_ConfigResource_error(resource[0]))
		return 0;
	entry = rd_kafka_ConfigResource_configs(resource[0], &n);
	for (size_t i = 0; i < n; i++) {
		const char *value = rd_kafka_ConfigEntry_value(entry[i]);

		if (strcmp(rd_kafka_ConfigEntry_name(entry[i]), "max.message.bytes") == 0 && value)
			return strtoull(value, NULL, 10);
	}
	return 0;
}

uint64_t limit_ask(const struct client *c)
{
	rd_kafka_ConfigResource_t *topic =
		rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, c->address.topic);
	rd_kafka_queue_t *answers = rd_kafka_queue_new(c->kafka);
	rd_kafka_event_t *event;
	uint64_t bytes = 0;

	rd_kafka_DescribeConfigs(c->kafka, &topic, 1, NULL, answers);
	event = rd_kafka_queue_poll(answers, WAIT_MS);
	if (event)
		bytes = find(event);
	if (event)
		rd_kafka_event_destroy(event);
	rd_kafka_queue_destroy(answers);
	rd_kafka_ConfigResource_destroy(topic);
	return bytes;
}

uint64_t limit_section(uint64_t message)
{
	return message > AROUND ? message - AROUND : 0;
}
