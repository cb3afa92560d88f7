/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Builds an index while the blocks of a file go by in order. If a granule has more keys than fit
 * into its share or into memory, it is marked: a search will read it.
 */
#pragma once

#include "index/format.h"

#define INDEX_GRANULE	   (1u << 20)
#define INDEX_GRANULE_KEYS 4096u /* their entries take 3.1 % of its size */

struct index_seen;

struct index_builder {
	struct index index;
	uint64_t granule_room;
	uint64_t *entry;
	uint64_t entry_room, granule_entry; /* granule_entry: the first entry of this granule */
	struct index_seen *seen;	    /* the keys that this granule has */
	int error;			    /* -ENOMEM: no index is made any more */
};

void index_build(struct index_builder *b);
/* Call this when a block begins. position, start and skip: where it is, as in struct
 * index_granule. */
void index_block(struct index_builder *b, uint64_t position, uint64_t start, uint64_t skip,
		 bool is_packet);
/* Call this next if the block is a packet. */
void index_packet(struct index_builder *b, uint64_t time, uint16_t link_type, const uint8_t *frame,
		  uint32_t caplen);
/* Call this next if it is a block of another type: later packets may need it. */
void index_other(struct index_builder *b, uint32_t type);
/* Size in bytes of the index so far. */
uint64_t index_size(const struct index_builder *b);
#define INDEX_IS_TAKEN                                                                             \
	"what has its name and " INDEX_ENDING " or " INDEX_PART " is no index: move it elsewhere"
/* Writes the index beside the file `path`, which has this identity: to a new file that is renamed
 * when it is complete. Returns 0; -EEXIST: INDEX_IS_TAKEN; or another -errno. */
int index_store(struct index_builder *b, const char *path, const struct index_identity *of,
		const struct stat *st);
void index_drop(struct index_builder *b);
