/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sorts any number of packets by time. What does not fit into memory goes, sorted, to a file that
 * has no name. Packets of the same time are in the order of their files, and within a file in the
 * order in which they were added.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "find/pages.h"
#include "util/buffer.h"

struct sorter_packet;
struct sorter_run;

struct sorter {
	const char *folder; /* where the file is made */
	size_t most;	    /* limit of bytes in memory */
	int file;	    /* -1: not needed so far */
	uint64_t file_size;
	struct pages pages;
	struct buffer data;
	struct sorter_packet *packet;
	size_t count, room;
	size_t kept;		/* how many the last release kept */
	struct sorter_run *run; /* sorted runs in the file */
	size_t runs;
};

typedef int sorter_take(void *context, const uint8_t *block, uint32_t length);

void sorter_init(struct sorter *s, const char *folder, size_t most);
/* Adds a packet of that input file, as a block. Returns 0 or -errno. */
int sorter_add(struct sorter *s, uint64_t time, uint32_t file, const uint8_t *block,
	       uint32_t length);
/* Hands all packets to take(), in order. Returns 0, what take() returned, or -errno. */
int sorter_drain(struct sorter *s, sorter_take *take, void *context);
/*
 * Hands packets from before that time to take(), because nothing older will be added. If few have
 * been added since the last release kept many, it waits for a later call, because each release
 * looks at all packets.
 */
int sorter_release(struct sorter *s, uint64_t before, sorter_take *take, void *context);
void sorter_free(struct sorter *s);
