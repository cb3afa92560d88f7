/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Names of network namespaces by inode, for records that are read some time after they came. The
 * kernel may give the inode of a namespace that is gone to the next one, so a known name is checked
 * again each time.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "netns.h"
#include "util/buffer.h"
#include "util/clock.h"

#define LOOK_NS	 NS_PER_SEC	   /* how often a namespace without a name is looked for */
#define FRESH_NS (100 * NS_PER_MS) /* a namespace may exist this long before its name is seen */
#define KEPT_NS	 (60 * NS_PER_SEC) /* how long a gone one is kept, for records that are read late */

struct entry {
	uint32_t inode;
	bool is_there;
	uint64_t first, last; /* when it was first and last seen; ns since 1970 */
	char name[256];	      /* "": it had none */
};

struct netns_list {
	uint32_t own;
	struct entry *entry;
	size_t count, room;
};

static uint32_t inode_of(int folder, const char *name)
{
	struct stat st;

	return fstatat(folder, name, &st, 0) ? 0 : (uint32_t)st.st_ino;
}

static bool is_still(struct entry *e, uint64_t now)
{
	char path[sizeof(NETNS_NAMED) + sizeof(e->name)];

	if (!e->name[0])
		return now - e->last < LOOK_NS;
	snprintf(path, sizeof(path), "%s%s", NETNS_NAMED, e->name);
	if (inode_of(AT_FDCWD, path) != e->inode)
		return false;
	e->last = now;
	return true;
}

static void see(struct netns_list *l, uint32_t inode, const char *name, uint64_t now)
{
	struct entry *more;

	for (size_t i = 0; i < l->count; i++) {
		struct entry *e = &l->entry[i];

		if (!e->is_there || e->inode != inode)
			continue;
		if (strcmp(e->name, name) == 0) {
			e->last = now;
			return;
		}
		e->is_there &= e->name[0] != 0; /* it has a name now */
	}
	more = buffer_one_more(l->entry, l->count, &l->room, sizeof(*more));
	if (!more)
		return;
	l->entry = more;
	more += l->count++;
	*more = (struct entry){.inode = inode, .is_there = true, .first = now, .last = now};
	snprintf(more->name, sizeof(more->name), "%s", name);
}

static void note_gone(struct netns_list *l, uint64_t now)
{
	size_t left = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct entry *e = &l->entry[i];

		if (e->is_there && !e->name[0] && e->first + KEPT_NS > now)
			e->last = now;
		e->is_there &= e->last == now;
		if (e->is_there || e->last + KEPT_NS > now)
			l->entry[left++] = *e;
	}
	l->count = left;
}

static void look(struct netns_list *l)
{
	DIR *all = opendir(NETNS_NAMED);
	uint64_t now = clock_wall();
	const struct dirent *d;
	uint32_t inode;

	if (!all && errno != ENOENT) /* known names are better than none */
		return;
	while (all && (d = readdir(all))) {
		inode = d->d_name[0] == '.' ? 0 : inode_of(dirfd(all), d->d_name);
		if (inode)
			see(l, inode, d->d_name, now);
	}
	if (all)
		closedir(all);
	note_gone(l, now);
}

struct netns_list *netns_list_new(void)
{
	struct netns_list *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->own = inode_of(AT_FDCWD, "/proc/self/ns/net");
	look(l);
	return l;
}

void netns_list_free(struct netns_list *l)
{
	if (l)
		free(l->entry);
	free(l);
}

/* If several are gone, returns the last one seen. */
static struct entry *find(const struct netns_list *l, uint32_t inode, bool is_there)
{
	struct entry *found = NULL;

	for (size_t i = 0; i < l->count; i++) {
		struct entry *e = &l->entry[i];

		if (e->inode == inode && e->is_there == is_there &&
		    (!found || e->last > found->last))
			found = e;
	}
	return found;
}

static struct entry *find_present(struct netns_list *l, uint32_t inode)
{
	struct entry *e = find(l, inode, true);

	if (e && is_still(e, clock_wall()))
		return e;
	look(l);
	if (!find(l, inode, true))
		see(l, inode, "", clock_wall());
	return find(l, inode, true);
}

/* Returns NULL if another namespace may have had this inode then. */
static const struct entry *find_at(struct netns_list *l, uint32_t inode, uint64_t time)
{
	const struct entry *now = find(l, inode, true), *former;
	bool has_name;

	if (now && time >= now->first && time <= now->last)
		return now;
	now = find_present(l, inode);
	has_name = now && now->name[0];
	if (now && time + (has_name ? FRESH_NS : 0) >= now->first)
		return now;
	former = find(l, inode, false);
	if (!former)
		return now;
	return time <= former->last + (has_name ? 0 : LOOK_NS) ? former : NULL;
}

const char *netns_list_name(struct netns_list *l, uint32_t inode, uint64_t time)
{
	static char number[16];
	const struct entry *e;

	if (inode == l->own)
		return "";
	e = find_at(l, inode, time);
	if (e && e->name[0])
		return e->name;
	snprintf(number, sizeof(number), "%" PRIu32, inode);
	return number;
}
