/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "find/lookup.h"

static bool has_time(const struct index_granule *g, const struct options *o)
{
	return g->last >= o->since && g->first <= g->last &&
	       (g->first < o->until || o->until == UINT64_MAX);
}

static bool is_hit(const struct lookup *l, uint64_t granule)
{
	return l->wanted[granule / 64] >> granule % 64 & 1;
}

static int choose(struct lookup *l, const struct condition *c, const struct options *o)
{
	struct index *x = &l->index;
	int e;

	l->wanted = calloc((x->granules + 63) / 64 + 1, sizeof(*l->wanted));
	if (!l->wanted)
		return -ENOMEM;
	e = condition_find(c, x, l->wanted);
	for (uint64_t i = 0; i < x->granules; i++) {
		if (!has_time(&x->granule[i], o))
			l->wanted[i / 64] &= ~(1ull << i % 64);
		l->wants += is_hit(l, i);
	}
	return e;
}

int lookup_open(struct lookup *l, const char *path, int fd, const struct condition *c,
		const struct options *o)
{
	struct index_identity of;
	struct stat st;
	int e;

	*l = (struct lookup){.index = {.fd = -1}};
	e = index_identify(&of, fd, &st);
	if (!e)
		e = index_open(&l->index, path, &of, &st);
	if (!e)
		e = choose(l, c, o);
	l->is_there = !e;
	if (e)
		lookup_close(l);
	return e;
}

bool lookup_wants(const struct lookup *l, uint64_t granule)
{
	return is_hit(l, granule) || l->index.granule[granule].flags & GRANULE_OTHERS;
}

uint64_t lookup_start(const struct lookup *l)
{
	for (uint64_t i = 0; i < l->index.granules; i++)
		if (lookup_wants(l, i))
			return l->index.granule[i].start;
	return 0;
}

const char *lookup_why(int e)
{
	switch (e) {
	case -ESTALE:
		return "the file has changed since";
	case -EPERM:
		return "others than root and the owner of the file may write it";
	case -EPROTONOSUPPORT:
		return "it is of another version";
	case -EBADMSG:
		return "it is damaged";
	default:
		return strerror(-e);
	}
}

void lookup_close(struct lookup *l)
{
	index_close(&l->index);
	free(l->wanted);
	l->wanted = NULL;
	l->is_there = false;
}
