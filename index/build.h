/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Makes an index while the blocks of a file go by, in its order. What does not fit into the budget
 * of a granule, or of the memory, is marked: it will be read.
 */
#pragma once

#include "index/format.h"

#define INDEX_GRANULE	   (1u << 20)
#define INDEX_GRANULE_KEYS 4096u /* 3.1 % of it */

struct index_seen;

struct index_builder {
	struct index index;
	uint64_t granule_room;
	uint64_t *entry;
	uint64_t entry_room, granule_entry; /* the first one of this granule */
	struct index_seen *seen;	    /* keys of this granule */
	int error;			    /* -ENOMEM: it makes no index any more */
};

void index_build(struct index_builder *b);
/* A block begins: where it is, as in struct index_granule. */
void index_block(struct index_builder *b, uint64_t position, uint64_t start, uint64_t skip,
		 bool is_packet);
/* It is a packet. */
void index_packet(struct index_builder *b, uint64_t time, uint16_t link_type, const uint8_t *frame,
		  uint32_t caplen);
/* It is none, but of this type of block: packets behind it may need it. */
void index_other(struct index_builder *b, uint32_t type);
/* Bytes of the index, as it is so far. */
uint64_t index_size(const struct index_builder *b);
#define INDEX_IS_TAKEN                                                                             \
	"what has its name and " INDEX_ENDING " or " INDEX_PART " is no index: move it elsewhere"
/* Of a file that is as this identity says, beside it: in a new file that gets its name when it is
 * whole. 0; -EEXIST: INDEX_IS_TAKEN; -errno. */
int index_store(struct index_builder *b, const char *path, const struct index_identity *of,
		const struct stat *st);
void index_drop(struct index_builder *b);
