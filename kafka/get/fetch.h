/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Reads sections from all partitions of a topic, from a given time on. If the topic has an index,
 * sections that are not wanted are not read: their labels come from the index.
 */
#pragma once

#include "kafka/get/catalog.h"
#include "kafka/get/plan.h"
#include "kafka/get/topic.h"

struct fetch {
	const struct options *o;
	struct topic topic;
	struct catalog catalog;
	size_t described; /* so many entries of the catalog have been handed out */
	struct plan plan;
	struct topic one,
		few; /* these read what the plan says, if that is little: one section, or a few */
	struct topic *reads; /* the one of these three that is being read */
	bool is_live;	     /* only what comes from now on is read */
	uint64_t foreign;    /* messages that are not our sections */
	uint64_t later;	     /* messages that are sections of a later version */
};

struct fetched {
	struct label label;
	const uint8_t *section; /* until the next call; NULL: not read, as it is not wanted */
	size_t length;
	const uint8_t *keys; /* NULL: the section has no keys */
	size_t keys_size;
	bool is_from_start; /* its partition is read from its first message on */
};

/*
 * rule: decides which sections have to be read, if there is an index; NULL: all. Reading ends with
 * what the partitions have now. Returns 0, or -1 after an error message.
 */
int fetch_open(struct fetch *f, const struct options *o, catalog_rule *rule, void *context);
/*
 * Returns 1: a section; 0: none within wait_ms; -1: the end; -2 after an error message.
 * FETCH_AGAIN: the index was wrong. Forget all sections so far: they come again, and the index is
 * not used.
 */
#define FETCH_AGAIN (-3)
int fetch_next(struct fetch *f, int wait_ms, struct fetched *to);
/* Ends --follow: only what the topic has now is still read. */
void fetch_end(struct fetch *f);
/* The client that is reading now, and knows what the brokers said last. */
const struct client *fetch_client(const struct fetch *f);
void fetch_close(struct fetch *f);
