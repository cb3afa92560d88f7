/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the index of a topic says about its sections. Whoever may write to the index can lie: so
 * what contradicts itself, or contradicts what the brokers say about the topic, is not believed.
 */
#pragma once

#include "kafka/get/topic.h"
#include "kafka/record.h"
#include "util/buffer.h"

/* At most this many sections, and bytes of labels, are kept. */
#define CATALOG_MOST   (1u << 20)
#define CATALOG_LABELS (1u << 28)

struct catalog_entry {
	int64_t offset;
	uint64_t time, label; /* message time in ms; where in labels its label is */
	uint32_t partition, bytes;
	uint16_t size; /* bytes of the label */
	bool is_wanted;
	bool is_sample; /* it is read to check whether it is what the index says */
};

struct catalog {
	struct catalog_entry *entry; /* by partition and offset */
	size_t count, room;
	struct buffer labels;
	bool keeps_gone, gone_beyond; /* keeps_gone: fill gone. gone_beyond: not all fitted */
	struct buffer gone; /* labels of sections that had packets and that retention has removed */
	uint64_t doubted;   /* sections that the index contradicts itself about */
	uint64_t beyond, foreign;
};

/* Must a section with this label and these keys be read? */
typedef bool catalog_rule(void *context, const struct label *l, const uint8_t *keys, size_t size);

/*
 * Takes one message of the index. It counts if its section is in the topic or, with keeps_gone, was
 * once. Returns 0 or -ENOMEM.
 */
int catalog_take(struct catalog *c, const struct topic *t, const void *value, size_t size,
		 catalog_rule *rule, void *context);
/* Call this when all messages have been taken. It drops what is doubted. */
void catalog_settle(struct catalog *c);
/*
 * Do the topic's sections have the times that the index says, as far as its brokers tell? Returns
 * 1: yes; 0: no, for example because the topic was deleted and created again; negative: -ENOMEM, or
 * the brokers do not tell.
 */
int catalog_agrees(const struct catalog *c, const struct topic *t);
/* Chooses a few sections that are read although they are not wanted, to check the index. */
void catalog_sample(struct catalog *c);
/* Returns NULL if the index says nothing about that section. */
const struct catalog_entry *catalog_find(const struct catalog *c, int32_t partition,
					 int64_t offset);
/* Reads the next label of c->gone from *at on. They are in no order, and some come twice. Returns
 * false if there are no more. */
bool catalog_next_gone(const struct catalog *c, size_t *at, struct label *to);
void catalog_label(const struct catalog *c, const struct catalog_entry *e, struct label *to);
bool catalog_has(const struct catalog *c, const struct catalog_entry *e, const struct label *l);
void catalog_free(struct catalog *c);
