/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "index/build.h"
#include "indexer.h"
#include "util/buffer.h"
#include "pcapng/format.h"
#include "util/shared.h"

#define PACKET_LEAST (sizeof(struct epb_header) + sizeof(uint32_t))

/* For files as output/ writes them: one section, in our byte order, with times in ns. */
struct indexer {
	struct index_builder builder;
	uint64_t position; /* of the next block, before compression */
	uint64_t frame_start, frame_position;
	bool has_frames;
	uint16_t *link; /* the link type of each interface */
	uint32_t interfaces;
	size_t room;
};

struct indexer *indexer_open(void)
{
	struct indexer *x = calloc(1, sizeof(*x));

	if (x)
		index_build(&x->builder);
	return x;
}

void indexer_frame(struct indexer *x, uint64_t start)
{
	x->has_frames = true;
	x->frame_start = start;
	x->frame_position = x->position;
}

static void take_interface(struct indexer *x, const uint8_t *block)
{
	uint16_t *more = buffer_one_more(x->link, x->interfaces, &x->room, sizeof(*more));

	if (!more) {
		indexer_give_up(x);
		return;
	}
	x->link = more;
	memcpy(&x->link[x->interfaces++], block + 8, sizeof(*x->link));
}

static void take_packet(struct indexer *x, const struct epb_header *r)
{
	uint64_t time = (uint64_t)r->time_high << 32 | r->time_low;

	if (r->interface_id >= x->interfaces || r->total_length < PACKET_LEAST ||
	    r->caplen > r->total_length - PACKET_LEAST)
		indexer_give_up(x);
	else
		index_packet(&x->builder, time, x->link[r->interface_id], epb_frame(r), r->caplen);
}

void indexer_take(struct indexer *x, const void *blocks, size_t length)
{
	const uint8_t *at = blocks, *end = at + length;
	uint32_t head[2]; /* type, length */

	for (; at < end; at += head[1]) {
		bool is_packet;

		memcpy(head, at, sizeof(head));
		is_packet = head[0] == BLOCK_ENHANCED_PACKET;
		index_block(&x->builder, x->position, x->has_frames ? x->frame_start : x->position,
			    x->has_frames ? x->position - x->frame_position : 0, is_packet);
		x->position += head[1];
		if (is_packet)
			take_packet(x, (const void *)at);
		else
			index_other(&x->builder, head[0]);
		if (head[0] == BLOCK_INTERFACE)
			take_interface(x, at);
	}
}

void indexer_give_up(struct indexer *x)
{
	x->builder.error = -ECANCELED;
}

uint64_t indexer_size(const struct indexer *x)
{
	return x->builder.error ? 0 : index_size(&x->builder);
}

uint64_t indexer_most(uint64_t length)
{
	uint64_t granules = length / INDEX_GRANULE + 2; /* + 2: the first granule has no packet */
	uint64_t entries = (granules - 1) * INDEX_GRANULE_KEYS;

	return index_bytes(granules < INDEX_GRANULES ? granules : INDEX_GRANULES,
			   entries < INDEX_ENTRIES ? entries : INDEX_ENTRIES);
}

/* Open the file for reading, because fd is only for writing. -ESTALE: it is another file. */
static int open_same(const char *name, int fd)
{
	int own = shared_open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
	struct stat a, b;

	if (own < 0)
		return own;
	if (fstat(own, &a) == 0 && fstat(fd, &b) == 0 && a.st_dev == b.st_dev &&
	    a.st_ino == b.st_ino)
		return own;
	close(own);
	return -ESTALE;
}

int indexer_store(struct indexer *x, const char *name, int fd)
{
	struct index_identity of;
	struct stat st;
	int own, e;

	if (x->builder.error)
		return x->builder.error;
	own = open_same(name, fd);
	if (own < 0)
		return own;
	e = index_identify(&of, own, &st);
	close(own);
	return e ? e : index_store(&x->builder, name, &of, &st);
}

/* Also removes the unfinished index of an xdpdump that was killed. */
void indexer_remove(const char *name)
{
	char index[PATH_MAX];

	if ((size_t)snprintf(index, sizeof(index), "%s" INDEX_PART, name) >= sizeof(index))
		return;
	index_unlink(index);
	index[strlen(name) + strlen(INDEX_ENDING)] = 0;
	index_unlink(index);
}

void indexer_remove_orphan(const char *name)
{
	struct stat st;

	if (shared_stat(name, &st) == -ENOENT)
		indexer_remove(name);
}

void indexer_close(struct indexer *x)
{
	if (!x)
		return;
	index_drop(&x->builder);
	free(x->link);
	free(x);
}
