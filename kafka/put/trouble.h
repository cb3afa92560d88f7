/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Tells the user what keeps packets from being acknowledged, when it begins and when it ends: a
 * line if brokers acknowledge nothing, and one if packets are lost.
 */
#pragma once

#include <librdkafka/rdkafka.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/put_state.h"

struct sender;

struct trouble {
	uint64_t away_since;	    /* since when brokers acknowledge nothing; 0: not told */
	rd_kafka_resp_err_t reason; /* the reason that was told; no error: no broker answers */
	uint64_t lost;		    /* lost packets at the last look */
	uint64_t lost_before, lost_since, lost_last; /* of the loss that is told */
	bool is_losing;
	rd_kafka_resp_err_t told; /* the reason that was told for it */
};

/* Looks, and tells. Call it every now and then. */
void trouble_look(struct trouble *t, const struct sender *s);
/* These packets were lost for a reason that was told elsewhere. */
void trouble_knows(struct trouble *t, uint64_t packets);
/* Writes why nothing is acknowledged to `to`, and returns that. */
const char *trouble_why(const struct sender *s, char *to, size_t room);
enum put_trouble trouble_of(const struct trouble *t, const struct sender *s);
