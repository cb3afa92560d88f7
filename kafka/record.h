/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A record of a topic's index: describes a section, and says where it lies.
 * docs/index-format.md. */
#pragma once

#include "kafka/keys.h"
#include "kafka/label.h"
#include "kafka/varint.h"

#define RECORD_SUFFIX ".index" /* appended to the topic's name */
/* Bytes for the place: partition and offset. */
#define RECORD_PLACE_ROOM (2 * VARINT_ROOM)
#define RECORD_ROOM	  (8 + 3 * VARINT_ROOM + LABEL_ROOM + KEYS_FEW_ROOM + RECORD_PLACE_ROOM)

struct record {
	uint32_t partition;
	uint32_t bytes; /* size of the section */
	uint64_t offset;
	uint64_t time; /* time stamp of its message, in ms */
	struct label label;
	const uint8_t *keys; /* NULL: the section may have any keys */
	size_t keys_size;
};

/* Writes all but the place, and returns the size. */
size_t record_format(const struct record *r, uint8_t to[RECORD_ROOM]);
/* Appends the place, which is known last, to these size bytes. Returns the size of both. */
size_t record_place(uint8_t *record, size_t size, uint32_t partition, uint64_t offset);
/* Reads a record; r->keys points into it. Returns false if it is no record, or one of a later
 * version. */
bool record_parse(struct record *r, const uint8_t *from, size_t size);
