/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sections out of a topic: from all partitions, from a time on. Where it has an index, those that
 * are not wanted are not read: their labels come out of the index.
 */
#pragma once

#include "kafka/get/catalog.h"
#include "kafka/get/plan.h"
#include "kafka/get/topic.h"

struct fetch {
	const struct options *o;
	struct topic topic;
	struct catalog catalog;
	size_t described; /* of the catalog, so many have been told */
	struct plan plan;
	struct topic one, few; /* read what the plan says, if that is little: a section, or more */
	struct topic *reads;   /* the one of all three that does */
	bool is_live;	       /* what was there before is not read */
	uint64_t foreign;      /* messages that are no sections of ours */
	uint64_t later;	       /* ... that are, of a later version */
};

struct fetched {
	struct label label;
	const uint8_t *section; /* until the next call; NULL: it is not wanted, as the index says */
	size_t length;
	const uint8_t *keys; /* NULL: it has none */
	size_t keys_size;
	bool is_from_start; /* its partition is read from the first message on that it has */
};

/*
 * rule: which sections have to be read, if there is an index; NULL: none. The end is what the
 * partitions have now. 0, or -1 after a complaint.
 */
int fetch_open(struct fetch *f, const struct options *o, catalog_rule *rule, void *context);
/*
 * 1: a section; 0: none within this time; -1: the end; -2 after a complaint. FETCH_AGAIN: the index
 * lied. Forget all sections so far: they come again, without it.
 */
#define FETCH_AGAIN (-3)
int fetch_next(struct fetch *f, int wait_ms, struct fetched *to);
/* Of --follow: what there is now is the end. */
void fetch_end(struct fetch *f);
/* Which reads now, and knows what brokers say. */
const struct client *fetch_client(const struct fetch *f);
void fetch_close(struct fetch *f);
