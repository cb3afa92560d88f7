/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How large the topic's messages may be, as its brokers say, for those who may ask. */
#pragma once

#include "kafka/client.h"

/* Bytes; 0: they do not say. Waits for the answer, for a moment. */
uint64_t limit_ask(const struct client *c);
/* Bytes of a section that fit into so large a message. */
uint64_t limit_section(uint64_t message);
