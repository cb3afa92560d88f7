/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the index of a topic says of its sections. Whoever may write to it chooses what it says: so
 * what contradicts itself, or what the brokers know of the topic, is not believed.
 */
#pragma once

#include "kafka/get/topic.h"
#include "kafka/record.h"
#include "util/buffer.h"

/* Records of more sections are not kept, nor behind so many bytes of labels. */
#define CATALOG_MOST   (1u << 20)
#define CATALOG_LABELS (1u << 28)

struct catalog_entry {
	int64_t offset;
	uint64_t time, label; /* where its text is */
	uint32_t partition, bytes;
	uint16_t size; /* of the text */
	bool is_wanted;
	bool is_sample; /* it is read to see whether it is what the index says */
};

struct catalog {
	struct catalog_entry *entry; /* by partition and offset */
	size_t count, room;
	struct buffer labels;
	bool keeps_gone, gone_beyond; /* ... and could not keep all */
	struct buffer gone; /* labels of sections with packets that retention has removed */
	uint64_t doubted;   /* sections of which it says two things */
	uint64_t beyond, foreign;
};

/* Is such a section to be read? */
typedef bool catalog_rule(void *context, const struct label *l, const uint8_t *keys, size_t size);

/*
 * One message of the index: 0 or -ENOMEM. It counts if its section lies in the topic, or, with
 * keeps_gone, did before.
 */
int catalog_take(struct catalog *c, const struct topic *t, const void *value, size_t size,
		 catalog_rule *rule, void *context);
/* All have been taken. Keeps what is not doubted. */
void catalog_settle(struct catalog *c);
/*
 * Does the topic have the times that it says, as far as its brokers tell? 1: yes; 0: no, as where
 * the topic has been made anew; negative: -ENOMEM, or they do not tell.
 */
int catalog_agrees(const struct catalog *c, const struct topic *t);
/* Choose a few that are read though nobody wants them. */
void catalog_sample(struct catalog *c);
/* NULL: nothing is said of it. */
const struct catalog_entry *catalog_find(const struct catalog *c, int32_t partition,
					 int64_t offset);
/* The next of c->gone from *at on, in no order, and some twice. False: there are no more. */
bool catalog_next_gone(const struct catalog *c, size_t *at, struct label *to);
void catalog_label(const struct catalog *c, const struct catalog_entry *e, struct label *to);
bool catalog_has(const struct catalog *c, const struct catalog_entry *e, const struct label *l);
void catalog_free(struct catalog *c);
