/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
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
	for (unsigned i = 0; all && i < all->room; i++)
		if (all->at[i].index)
			free(all->at[i].space);
	if (all)
		free(all->at);
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

static unsigned place_of(const struct members *all, uint32_t netns, unsigned index)
{
	unsigned i = home_of(all, netns, index);

	while (all->at[i].index && (all->at[i].index != index || all->at[i].netns != netns))
		i = next_of(all, i);
	return i;
}

/* At most half full, and not much larger than they need. */
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
	for (unsigned i = 0; i < all->room; i++)
		if (all->at[i].index)
			to.at[place_of(&to, all->at[i].netns, all->at[i].index)] = all->at[i];
	free(all->at);
	all->at = to.at;
	all->room = to.room;
	return 0;
}

struct member *members_find(const struct members *all, uint32_t netns, unsigned index)
{
	struct member *m = all->room ? &all->at[place_of(all, netns, index)] : NULL;

	return m && m->index ? m : NULL;
}

static bool has_id(const struct members *all, unsigned place, uint32_t id)
{
	return members_have_block(all, &all->at[place]) && all->at[place].id == id;
}

struct member *members_with_id(struct members *all, uint32_t id)
{
	if (all->hit < all->room && has_id(all, all->hit, id))
		return &all->at[all->hit];
	for (unsigned i = 0; i < all->room; i++) {
		if (!has_id(all, i, id))
			continue;
		all->hit = i;
		return &all->at[i];
	}
	return NULL;
}

struct member *members_get(struct members *all, uint32_t netns, const struct afxdp_member *from)
{
	struct member *m = members_find(all, netns, from->index);

	if (m)
		return m;
	if (resize(all))
		return NULL;
	m = &all->at[place_of(all, netns, from->index)];
	*m = (struct member){.index = from->index, .netns = netns, .number = from->number};
	memcpy(m->name, from->name, sizeof(m->name));
	all->used++;
	return m;
}

/* What lies behind it moves up where it would not be found any more. */
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
