/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What get and ls tell the user about what they have read. */
#pragma once

#include "kafka/get/fetch.h"
#include "kafka/get/gap.h"
#include "kafka/get/streams.h"

/* As fetch_next(), for a topic with an end: if brokers are silent for long, returns -2 after an
 * error message. */
int told_wait(struct fetch *f, struct fetched *to);
/* Prints gaps, sections that are cut, foreign messages, and captures with the same name. Returns
 * true if nothing is missing. */
bool told_faults(const struct fetch *f, const struct streams *s, const struct options *o,
		 uint64_t cut);
/* The exit status of a run that went well. */
#define STATUS_GAPS 3
int told_status(bool is_whole);

/* Which of the names that were asked for the topic has. */
struct told_seen {
	uint64_t hosts, sessions, interfaces;
};

void told_see(struct told_seen *t, const struct options *o, const struct label *l);
/* Prints those that it does not have. Returns true if there are any. */
bool told_absent(const struct told_seen *t, const struct options *o);
