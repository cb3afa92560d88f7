/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What get and ls say of what they read. */
#pragma once

#include "kafka/get/fetch.h"
#include "kafka/get/gap.h"
#include "kafka/get/streams.h"

/* As fetch_next(), for a topic with an end: brokers that are silent for long are complained of. */
int told_wait(struct fetch *f, struct fetched *to);
/* Gaps, sections that are cut, foreign messages, captures of one name. True: nothing is missing. */
bool told_faults(const struct fetch *f, const struct streams *s, const struct options *o,
		 uint64_t cut);
/* The exit status of what went well. */
#define STATUS_GAPS 3
int told_status(bool is_whole);

/* Which names of those that were asked for the topic has. */
struct told_seen {
	uint64_t hosts, sessions, interfaces;
};

void told_see(struct told_seen *t, const struct options *o, const struct label *l);
/* Of those that it has not. True: there are some. */
bool told_absent(const struct told_seen *t, const struct options *o);
