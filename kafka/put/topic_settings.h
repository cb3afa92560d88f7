/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How the topic is configured, if the brokers tell us. */
#pragma once

#include "kafka/client.h"

/* Asks, and waits at most wait_ms. Returns NULL if they do not say. The caller frees it by
 * rd_kafka_event_destroy(). */
rd_kafka_event_t *topic_settings_ask(const struct client *c, int wait_ms);
/* The value of that setting, valid as long as settings; NULL: not known. */
const char *topic_setting(rd_kafka_event_t *settings, const char *name);
