/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Merges the packets of all streams by time. Packets of one stream keep their order; across streams
 * the oldest goes first. */
#pragma once

#include "kafka/get/output.h"
#include "kafka/get/streams.h"

struct merge_source;

struct merge {
	struct streams *streams;
	struct output *output;
	struct merge_source *source; /* one for each stream */
	struct merge_source **heap;  /* those whose next packet may go, the oldest first */
	size_t count, due;
	int patience;	 /* how many signals do not end it */
	uint64_t faults; /* sections that are cut or broken; their whole blocks are used */
};

void merge_init(struct merge *m, struct streams *s, struct output *w);
/* Writes all packets up to that time. Returns 0, -EINTR if a signal came, or -errno after an error
 * message, or before one of output_close(). */
int merge_run(struct merge *m, uint64_t until);
/* Writes, after all packets, what is missing from the interfaces. */
int merge_end(struct merge *m);
void merge_free(struct merge *m);
