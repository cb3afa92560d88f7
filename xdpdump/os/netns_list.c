/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "netns.h"
#include "netns_list.h"

struct entry {
	uint32_t inode;
	char name[256];
};

struct netns_list {
	uint32_t own;
	struct entry *entry;
	size_t count;
};

static void add(struct netns_list *l, uint32_t inode, const char *name)
{
	struct entry *more = realloc(l->entry, (l->count + 1) * sizeof(*more));

	if (!more)
		return;
	l->entry = more;
	more[l->count].inode = inode;
	snprintf(more[l->count].name, sizeof(more[l->count].name), "%s", name);
	l->count++;
}

struct netns_list *netns_list_new(void)
{
	struct netns_list *l = calloc(1, sizeof(*l));
	DIR *all = l ? opendir(NETNS_NAMED) : NULL;
	const struct dirent *d;
	struct stat st;

	if (l && stat("/proc/self/ns/net", &st) == 0)
		l->own = (uint32_t)st.st_ino;
	while (all && (d = readdir(all)))
		if (d->d_name[0] != '.' && fstatat(dirfd(all), d->d_name, &st, 0) == 0)
			add(l, (uint32_t)st.st_ino, d->d_name);
	if (all)
		closedir(all);
	return l;
}

void netns_list_free(struct netns_list *l)
{
	if (l)
		free(l->entry);
	free(l);
}

const char *netns_list_name(const struct netns_list *l, uint32_t inode)
{
	static char number[16];

	if (inode == l->own)
		return "";
	for (size_t i = 0; i < l->count; i++)
		if (l->entry[i].inode == inode)
			return l->entry[i].name;
	snprintf(number, sizeof(number), "%" PRIu32, inode);
	return number;
}
