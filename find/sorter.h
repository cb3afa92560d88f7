/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Packets in the order of their time, however many: what does not fit into memory goes, sorted, to
 * a file that has no name. Those of one time come in the order of their files, and of one file in
 * the order in which they were added.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "find/pages.h"
#include "util/buffer.h"

struct sorter_packet;
struct sorter_run;

struct sorter {
	const char *folder; /* for the file */
	size_t most;	    /* bytes in memory */
	int file;	    /* -1: none is needed so far */
	uint64_t file_size;
	struct pages pages;
	struct buffer data;
	struct sorter_packet *packet;
	size_t count, room;
	size_t kept;		/* of them, by the last release */
	struct sorter_run *run; /* in the file */
	size_t runs;
};

typedef int sorter_take(void *context, const uint8_t *block, uint32_t length);

void sorter_init(struct sorter *s, const char *folder, size_t most);
/* A packet of that file, as a block. 0, or -errno. */
int sorter_add(struct sorter *s, uint64_t time, uint32_t file, const uint8_t *block,
	       uint32_t length);
/* All of it goes to take(), in order. 0, what take() returned, or -errno. */
int sorter_drain(struct sorter *s, sorter_take *take, void *context);
/*
 * Those before a time, as nothing that is older will be added; or later, where few have been added
 * to many that were kept: each release looks at all of them.
 */
int sorter_release(struct sorter *s, uint64_t before, sorter_take *take, void *context);
void sorter_free(struct sorter *s);
