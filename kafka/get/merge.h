/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Packets of all streams by their time: within a stream as they are, across streams the oldest
 * first. */
#pragma once

#include "kafka/get/output.h"
#include "kafka/get/streams.h"

struct merge_source;

struct merge {
	struct streams *streams;
	struct output *output;
	struct merge_source *source; /* one for each stream */
	struct merge_source **heap;  /* those whose packet may go, the oldest first */
	size_t count, due;
	int patience;	 /* so many signals do not end it */
	uint64_t faults; /* sections that are cut or broken: their whole blocks are used */
};

void merge_init(struct merge *m, struct streams *s, struct output *w);
/* All packets of at most that time: 0; -EINTR: a signal came; -errno, which is told, or
 * output_close() tells. */
int merge_run(struct merge *m, uint64_t until);
/* After all packets: what the interfaces lack. */
int merge_end(struct merge *m);
void merge_free(struct merge *m);
