/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "index/build.h"
#include "index/keys.h"
#include "pcapng/format.h"
#include "util/shared.h"

#define SLOTS (2 * INDEX_GRANULE_KEYS) /* a power of two */
#define FLOWS 4096u

/* Which keys this granule has, and flows whose keys it has. A slot of another granule is free. */
struct index_seen {
	struct {
		uint32_t key, granule; /* granule: its number plus 1 */
	} slot[SLOTS];
	struct {
		struct index_flow flow;
		uint32_t granule;
	} flow[FLOWS];
};

void index_build(struct index_builder *b)
{
	*b = (struct index_builder){.index = {.first = UINT64_MAX, .fd = -1}};
	b->seen = calloc(1, sizeof(*b->seen));
	b->error = b->seen ? 0 : -ENOMEM;
}

/* Makes sure that *p has room for one more. */
static bool grow(struct index_builder *b, void **p, uint64_t count, uint64_t *room, size_t size)
{
	uint64_t more = *room ? 2 * *room : 256;
	void *all;

	if (count < *room)
		return true;
	all = reallocarray(*p, more, size);
	if (!all) {
		b->error = -ENOMEM;
		return false;
	}
	*p = all;
	*room = more;
	return true;
}

static struct index_granule *granule(struct index_builder *b)
{
	return &b->index.granule[b->index.granules - 1];
}

/* Does a new granule begin here? What comes before the first packet is read for each search: so it
 * is a granule of its own. */
static bool is_due(struct index_builder *b, uint64_t position, bool is_packet)
{
	if (!b->index.granules || b->index.granules == INDEX_GRANULES)
		return !b->index.granules;
	return position - granule(b)->position >= INDEX_GRANULE ||
	       (is_packet && b->index.granules == 1 && !b->index.packets &&
		position > granule(b)->position);
}

void index_block(struct index_builder *b, uint64_t position, uint64_t start, uint64_t skip,
		 bool is_packet)
{
	struct index *x = &b->index;

	if (b->error || !is_due(b, position, is_packet))
		return;
	if (!grow(b, (void **)&x->granule, x->granules, &b->granule_room, sizeof(*x->granule)))
		return;
	x->granule[x->granules++] = (struct index_granule){.position = position,
							   .start = start,
							   .skip = skip,
							   .first = UINT64_MAX};
	b->granule_entry = x->entries;
	if (x->entries > INDEX_ENTRIES - INDEX_GRANULE_KEYS)
		granule(b)->flags = GRANULE_SCAN;
}

/* The granule has too many keys: removes them, and marks it to be read. */
static void give_up(struct index_builder *b)
{
	granule(b)->flags |= GRANULE_SCAN;
	b->index.entries = b->granule_entry;
}

static void add(struct index_builder *b, uint32_t key)
{
	uint32_t number = (uint32_t)b->index.granules, i = key & (SLOTS - 1);
	struct index_seen *s = b->seen;
	struct index *x = &b->index;

	while (s->slot[i].granule == number && s->slot[i].key != key)
		i = (i + 1) & (SLOTS - 1);
	if (s->slot[i].granule == number)
		return;
	if (x->entries - b->granule_entry == INDEX_GRANULE_KEYS) {
		give_up(b);
		return;
	}
	if (!grow(b, (void **)&b->entry, x->entries, &b->entry_room, sizeof(*b->entry)))
		return;
	s->slot[i].key = key;
	s->slot[i].granule = number;
	b->entry[x->entries++] = (uint64_t)key << 32 | (number - 1);
}

/* Does the granule have the keys of this frame, because of an earlier one of its flow? If not, the
 * flow is noted. */
static bool is_known(struct index_builder *b, uint16_t link_type, const uint8_t *frame,
		     uint32_t caplen)
{
	uint32_t number = (uint32_t)b->index.granules, i;
	struct index_flow f;

	if (!index_flow_of(&f, link_type, frame, caplen))
		return false;
	i = ((f.from ^ f.ports) * 0x9e3779b1u + (f.to ^ f.protocol) * 0x85ebca77u) >> 20 &
	    (FLOWS - 1);
	if (b->seen->flow[i].granule == number &&
	    memcmp(&b->seen->flow[i].flow, &f, sizeof(f)) == 0)
		return true;
	b->seen->flow[i].flow = f;
	b->seen->flow[i].granule = number;
	return false;
}

void index_packet(struct index_builder *b, uint64_t time, uint16_t link_type, const uint8_t *frame,
		  uint32_t caplen)
{
	struct index_granule *g;
	struct index_keys k;

	if (b->error)
		return;
	g = granule(b);
	b->index.packets++;
	g->first = time < g->first ? time : g->first;
	g->last = time > g->last ? time : g->last;
	if (g->flags & GRANULE_SCAN || is_known(b, link_type, frame, caplen))
		return;
	if (!index_knows(link_type)) {
		give_up(b);
		return;
	}
	index_keys_of(&k, link_type, frame, caplen);
	for (unsigned i = 0; i < k.n && !(g->flags & GRANULE_SCAN) && !b->error; i++)
		add(b, k.key[i]);
}

static bool is_needed(uint32_t type)
{
	return type == BLOCK_SECTION || type == BLOCK_INTERFACE || type == BLOCK_NAMES ||
	       type == BLOCK_SECRETS || type == BLOCK_PROCESS;
}

void index_other(struct index_builder *b, uint32_t type)
{
	if (!b->error && is_needed(type))
		granule(b)->flags |= GRANULE_OTHERS;
}

uint64_t index_size(const struct index_builder *b)
{
	return index_bytes(b->index.granules, b->index.entries);
}

/* Sorts by key; entries of one key stay in the order of their granules. */
static int sort(struct index_builder *b)
{
	uint64_t n = b->index.entries, *from = b->entry, *to = malloc(n * sizeof(*to) + 1);

	if (!to)
		return -ENOMEM;
	for (unsigned shift = 32; shift < 64; shift += 8) {
		uint64_t at[257] = {0}, *swap = from;

		for (uint64_t i = 0; i < n; i++)
			at[(from[i] >> shift & 0xff) + 1]++;
		for (unsigned i = 0; i < 256; i++)
			at[i + 1] += at[i];
		for (uint64_t i = 0; i < n; i++)
			to[at[from[i] >> shift & 0xff]++] = from[i];
		from = to;
		to = swap;
	}
	free(to);
	b->entry = from;
	b->entry_room = n;
	return 0;
}

/*
 * Lets those read the index who may read the packets, and nobody else: root may write an index for
 * another user's file, and new files in that folder may get another group.
 */
static int share(int fd, const struct stat *st)
{
	uid_t owner = geteuid() ? (uid_t)-1 : st->st_uid;
	mode_t mode = st->st_mode & 0444;
	struct stat own;
	bool is_same = fstat(fd, &own) == 0 && own.st_uid == st->st_uid && own.st_gid == st->st_gid;

	/* A process without privileges may be refused even a change that changes nothing. */
	if (!is_same && fchown(fd, owner, st->st_gid) && !(mode & S_IROTH))
		mode &= ~(mode_t)S_IRGRP;
	return fchmod(fd, mode | S_IWUSR) ? -errno : 0;
}

/* Returns 0; -EEXIST if something else has that name; or another -errno, and then no file is
 * left. */
static int write_file(struct index_builder *b, const char *part, const struct stat *st)
{
	int fd, e;

	index_unlink(part);
	fd = shared_open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return fd;
	e = index_write(&b->index, b->entry, fd);
	if (!e)
		e = share(fd, st);
	if (close(fd) && !e)
		e = -errno;
	if (e)
		shared_unlink(part);
	return e;
}

int index_store(struct index_builder *b, const char *path, const struct index_identity *of,
		const struct stat *st)
{
	char part[PATH_MAX], name[PATH_MAX];
	struct index *x = &b->index;
	int e = b->error ? b->error : sort(b);

	if (e)
		return e;
	if ((size_t)snprintf(part, sizeof(part), "%s" INDEX_PART, path) >= sizeof(part))
		return -ENAMETOOLONG;
	snprintf(name, sizeof(name), "%s" INDEX_ENDING, path);
	e = index_may_take(name);
	if (e)
		return e;
	x->of = *of;
	for (uint64_t i = 0; i < x->granules; i++) {
		const struct index_granule *g = &x->granule[i];

		x->first = g->first < x->first ? g->first : x->first;
		x->last = g->last > x->last ? g->last : x->last;
	}
	e = write_file(b, part, st);
	if (e)
		return e;
	e = shared_rename(part, name);
	if (e)
		shared_unlink(part);
	return e;
}

void index_drop(struct index_builder *b)
{
	free(b->index.granule);
	free(b->entry);
	free(b->seen);
	*b = (struct index_builder){.index = {.fd = -1}};
}
