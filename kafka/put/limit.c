/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdlib.h>

#include "index/filter.h"
#include "kafka/label.h"
#include "kafka/put/limit.h"
#include "kafka/put/topic_settings.h"

#define WAIT_MS 2000
/* What surrounds a section in a message: the batch, its key, and headers. The largest headers are
 * the section's keys and its label. */
#define AROUND (INDEX_FILTER_ROOM + 2 * LABEL_ROOM + 1024)

uint64_t limit_ask(const struct client *c)
{
	rd_kafka_event_t *settings = topic_settings_ask(c, WAIT_MS);
	const char *value = settings ? topic_setting(settings, "max.message.bytes") : NULL;
	uint64_t bytes = value ? strtoull(value, NULL, 10) : 0;

	if (settings)
		rd_kafka_event_destroy(settings);
	return bytes;
}

uint64_t limit_section(uint64_t message)
{
	return message > AROUND ? message - AROUND : 0;
}
