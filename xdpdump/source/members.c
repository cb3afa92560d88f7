/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/afxdpcapture.h"
#include "members.h"

#define ROOM_MIN 64

struct members *members_new(void)
{
	struct members *all = calloc(1, sizeof(*all));

	if (all)
		all->file = 1;
	return all;
}

void members_free(struct members *all)
{
	if (!all)
		return;
	for (unsigned i = 0; i < all->room; i++)
		free(all->at[i].space);
	free(all->at);
	free(all->block);
	free(all);
}

static unsigned home_of(const struct members *all, uint32_t netns, unsigned index)
{
	return (index + netns * 40503u) * 2654435761u & (all->room - 1); /* Knuth's */
}

static unsigned next_of(const struct members *all, unsigned place)
{
	return (place + 1) & (all->room - 1);
}

static bool is_of(const struct member *m, uint32_t netns, unsigned index)
{
	return m->index == index && m->netns == netns;
}

static unsigned place_of(const struct members *all, uint32_t netns, unsigned index, unsigned number)
{
	unsigned i = home_of(all, netns, index);

	while (all->at[i].index &&
	       (all->at[i].number != number || !is_of(&all->at[i], netns, index)))
		i = next_of(all, i);
	return i;
}

/* Keep the table at most half full, and not much larger than needed. Returns 0, or -1 if it is full
 * and memory ran out. */
static int resize(struct members *all)
{
	struct members to = {.room = ROOM_MIN};

	if (all->used < all->room / 2 && (all->room == ROOM_MIN || all->used > all->room / 16))
		return 0;
	while (to.room < 4 * (all->used + 1))
		to.room *= 2;
	to.at = calloc(to.room, sizeof(*to.at));
	if (!to.at)
		return all->used + 1 < all->room ? 0 : -1;
	for (unsigned i = 0; i < all->room; i++) {
		const struct member *m = &all->at[i];

		if (m->index)
			to.at[place_of(&to, m->netns, m->index, m->number)] = *m;
	}
	free(all->at);
	all->at = to.at;
	all->room = to.room;
	return 0;
}

static struct member *find(const struct members *all, uint32_t netns, unsigned index,
			   unsigned number)
{
	struct member *m = all->room ? &all->at[place_of(all, netns, index, number)] : NULL;

	return m && m->index ? m : NULL;
}

struct member *members_next(const struct members *all, uint32_t netns, unsigned index,
			    const struct member *after)
{
	unsigned i;

	if (!all->room)
		return NULL;
	i = after ? next_of(all, (unsigned)(after - all->at)) : home_of(all, netns, index);
	while (all->at[i].index && !is_of(&all->at[i], netns, index))
		i = next_of(all, i);
	return all->at[i].index ? &all->at[i] : NULL;
}

struct member *members_find(const struct members *all, uint32_t netns, unsigned index)
{
	struct member *m = NULL, *latest = NULL;

	while ((m = members_next(all, netns, index, m)))
		if (!latest || m->number > latest->number)
			latest = m;
	return latest;
}

static struct member_block *block_of(const struct members *all, uint32_t id)
{
	unsigned mask = all->block_room - 1, i = id * 2654435761u & mask;

	while (all->block[i].index && all->block[i].id != id)
		i = (i + 1) & mask;
	return &all->block[i];
}

static void put_block(struct members *all, const struct member *m)
{
	struct member_block *b = block_of(all, m->id);

	all->block_used += !b->index;
	*b = (struct member_block){m->id, m->netns, m->index, m->number};
}

/* Keep the table at most half full. A new one is at most a quarter full, with what is in use. */
static int make_block_room(struct members *all)
{
	struct member_block *more;
	unsigned room = ROOM_MIN;

	if (all->block_used < all->block_room / 2)
		return 0;
	while (room < 4 * (all->blocks + 1))
		room *= 2;
	more = calloc(room, sizeof(*more));
	if (!more)
		return -ENOMEM;
	free(all->block);
	all->block = more;
	all->block_room = room;
	all->block_used = 0;
	for (unsigned i = 0; i < all->room; i++)
		if (members_have_block(all, &all->at[i]))
			put_block(all, &all->at[i]);
	return 0;
}

int members_set_block(struct members *all, struct member *m, uint32_t id)
{
	int e = make_block_room(all);

	if (e)
		return e;
	all->blocks += !members_have_block(all, m);
	m->id = id;
	m->file = all->file;
	put_block(all, m);
	return 0;
}

struct member *members_with_id(const struct members *all, uint32_t id)
{
	const struct member_block *b = all->block_room ? block_of(all, id) : NULL;
	struct member *m = b && b->index ? find(all, b->netns, b->index, b->number) : NULL;

	return m && members_have_block(all, m) && m->id == id ? m : NULL;
}

struct member *members_get(struct members *all, uint32_t netns, const struct afxdp_member *from)
{
	struct member *m = find(all, netns, from->index, from->number);

	if (m)
		return m;
	if (resize(all))
		return NULL;
	m = &all->at[place_of(all, netns, from->index, from->number)];
	*m = (struct member){.index = from->index, .netns = netns, .number = from->number};
	memcpy(m->name, from->name, sizeof(m->name));
	all->used++;
	return m;
}

/* Later entries move up if they would not be found otherwise. */
void members_remove(struct members *all, struct member *m)
{
	unsigned hole = (unsigned)(m - all->at), i = hole, mask = all->room - 1;

	all->blocks -= members_have_block(all, m);
	all->leaving -= m->gone_time != 0;
	all->used--;
	free(m->space);
	for (i = next_of(all, i); all->at[i].index; i = next_of(all, i)) {
		unsigned home = home_of(all, all->at[i].netns, all->at[i].index);

		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		all->at[hole] = all->at[i];
		hole = i;
	}
	all->at[hole] = (struct member){.index = 0};
}

void members_begin_file(struct members *all)
{
	all->file++;
	all->blocks = 0;
	all->unknown = 0;
}
