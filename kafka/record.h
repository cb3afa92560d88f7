/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A record of a topic's index: what a section is, and where it lies. docs/index-format.md. */
#pragma once

#include "kafka/keys.h"
#include "kafka/label.h"
#include "kafka/varint.h"

#define RECORD_SUFFIX ".index" /* of the topic's name */
/* Of where it lies. */
#define RECORD_PLACE_ROOM (2 * VARINT_ROOM)
#define RECORD_ROOM	  (8 + 3 * VARINT_ROOM + LABEL_ROOM + KEYS_FEW_ROOM + RECORD_PLACE_ROOM)

struct record {
	uint32_t partition;
	uint32_t bytes; /* of the section */
	uint64_t offset;
	uint64_t time; /* of its message, in ms */
	struct label label;
	const uint8_t *keys; /* NULL: it may have any */
	size_t keys_size;
};

/* All but the place: its size. */
size_t record_format(const struct record *r, uint8_t to[RECORD_ROOM]);
/* Where the section lies is known last, and stands behind these bytes: the size of both. */
size_t record_place(uint8_t *record, size_t size, uint32_t partition, uint64_t offset);
/* r->keys points into it. False where it is none, or one of a later version. */
bool record_parse(struct record *r, const uint8_t *from, size_t size);
