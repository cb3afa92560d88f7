/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How the brokers have set up the topic, for those who may ask. */
#pragma once

#include "kafka/client.h"

/* Asks, and waits for so long at most. NULL: they do not say. rd_kafka_event_destroy() frees it. */
rd_kafka_event_t *topic_settings_ask(const struct client *c, int wait_ms);
/* The value of that name, as long as they are there; NULL: it is not known. */
const char *topic_setting(rd_kafka_event_t *settings, const char *name);
