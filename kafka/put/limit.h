/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How large the topic's messages may be, if its brokers tell us. */
#pragma once

#include "kafka/client.h"

/* Asks the brokers, and waits a moment for the answer. Returns bytes, or 0 if they do not say. */
uint64_t limit_ask(const struct client *c);
/* How many bytes of a section fit into a message of that size? */
uint64_t limit_section(uint64_t message);
