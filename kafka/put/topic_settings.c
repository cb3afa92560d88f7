/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "kafka/put/topic_settings.h"
#include "util/command/signals.h"

#define LOOK_MS 100 /* to notice a signal */

rd_kafka_event_t *topic_settings_ask(const struct client *c, int wait_ms)
{
	rd_kafka_ConfigResource_t *topic =
		rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, c->address.topic);
	rd_kafka_queue_t *answers = rd_kafka_queue_new(c->kafka);
	rd_kafka_event_t *event = NULL;

	rd_kafka_DescribeConfigs(c->kafka, &topic, 1, NULL, answers);
	for (; !event && wait_ms > 0 && signals_stop < 2; wait_ms -= LOOK_MS)
		event = rd_kafka_queue_poll(answers, LOOK_MS);
	rd_kafka_queue_destroy(answers);
	rd_kafka_ConfigResource_destroy(topic);
	return event;
}

const char *topic_setting(rd_kafka_event_t *settings, const char *name)
{
	const rd_kafka_DescribeConfigs_result_t *result =
		rd_kafka_event_DescribeConfigs_result(settings);
	const rd_kafka_ConfigResource_t **of = NULL;
	const rd_kafka_ConfigEntry_t **entry;
	size_t n = 0;

	if (result && !rd_kafka_event_error(settings))
		of = rd_kafka_DescribeConfigs_result_resources(result, &n);
	if (!n || rd_kafka_ConfigResource_error(of[0]))
		return NULL;
	entry = rd_kafka_ConfigResource_configs(of[0], &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(rd_kafka_ConfigEntry_name(entry[i]), name) == 0)
			return rd_kafka_ConfigEntry_value(entry[i]);
	return NULL;
}
