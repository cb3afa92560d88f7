/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A record of a topic's index: what a section is, and where it lies. docs/index-format.md. */
#ifndef KAFKA_RECORD_H
#define KAFKA_RECORD_H

#include "kafka/keys.h"
#include "kafka/label.h"

#define RECORD_SUFFIX ".index" /* of the topic's name */
#define RECORD_ROOM   (40 + LABEL_ROOM + KEYS_FEW_ROOM)

struct record {
	uint32_t partition;
	uint32_t bytes; /* of the section */
	uint64_t offset;
	uint64_t time; /* of its message, in ms */
	struct label label;
	const uint8_t *keys; /* NULL: it may have any */
	size_t keys_size;
};

/* Its size. */
size_t record_format(const struct record *r, uint8_t to[RECORD_ROOM]);
/* Where the section lies is known last. */
void record_place(uint8_t *record, uint32_t partition, uint64_t offset);
/* r->keys points into it. False where it is none, or one of another version. */
bool record_parse(struct record *r, const uint8_t *from, size_t size);

#endif
