/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What keeps packets from being acknowledged, told when it begins and when it ends: a line for
 * brokers that acknowledge nothing, and one for packets that are lost.
 */
#pragma once

#include <librdkafka/rdkafka.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/put_state.h"

struct sender;

struct trouble {
	uint64_t away_since; /* monotonic; 0: it is not told that brokers acknowledge nothing */
	rd_kafka_resp_err_t reason; /* ... as its reason; none: no broker answers */
	uint64_t lost;		    /* packets, as of the last look */
	uint64_t lost_before, lost_since, lost_last; /* when a loss began that is told; monotonic */
	bool is_losing;
	rd_kafka_resp_err_t told; /* as its reason */
};

/* Every so often. */
void trouble_look(struct trouble *t, const struct sender *s);
/* Packets were lost for a reason that is told elsewhere. */
void trouble_knows(struct trouble *t, uint64_t packets);
/* Why nothing is acknowledged. */
const char *trouble_why(const struct sender *s, char *to, size_t room);
enum put_trouble trouble_of(const struct trouble *t, const struct sender *s);
