/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>

#include "kafka/get/plan.h"
#include "util/buffer.h"

#define SECTION_MOST (1u << 20) /* including its headers */
#define SEEK_BYTES   (1u << 18) /* what could be read in the time of a seek */

struct planning {
	struct plan *plan;
	uint64_t usual;	 /* assumed bytes of a section that the index says nothing about */
	uint64_t passed; /* bytes after the last part that need not be read */
	uint64_t needed, all;
	int error;
};

static uint64_t bytes_of(const struct catalog_entry *e)
{
	return e->bytes < SECTION_MOST ? e->bytes : SECTION_MOST;
}

static struct plan_part *last_part(const struct plan *p, int32_t partition)
{
	struct plan_part *last = p->count ? &p->part[p->count - 1] : NULL;

	return last && last->partition == partition ? last : NULL;
}

static void add_part(struct planning *g, struct plan_part part)
{
	struct plan *p = g->plan;
	struct plan_part *all = buffer_one_more(p->part, p->count, &p->room, sizeof(*all));

	if (!all) {
		g->error = -ENOMEM;
		return;
	}
	p->part = all;
	p->part[p->count++] = part;
	g->needed += SEEK_BYTES;
}

/* Adds a part; if it is near to the part before, they become one. */
static void need(struct planning *g, struct plan_part part, uint64_t bytes)
{
	struct plan_part *last = last_part(g->plan, part.partition);

	if (last && g->passed <= SEEK_BYTES) {
		last->end = part.end;
		g->needed += g->passed;
	} else {
		add_part(g, part);
	}
	g->needed += bytes;
	g->all += bytes;
	g->passed = 0;
}

static void need_unknown(struct planning *g, int32_t partition, int64_t from, int64_t end)
{
	const struct plan_part part = {partition, from, end};

	if (from < end)
		need(g, part, (uint64_t)(end - from) * g->usual);
}

static void look_at(struct planning *g, const struct catalog_entry *e)
{
	const struct plan_part part = {(int32_t)e->partition, e->offset, e->offset + 1};

	if (e->is_wanted || e->is_sample) {
		need(g, part, bytes_of(e));
		return;
	}
	g->passed += bytes_of(e);
	g->all += bytes_of(e);
}

static uint64_t usual(const struct catalog *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->count; i++)
		sum += bytes_of(&c->entry[i]);
	return c->count ? sum / c->count : SECTION_MOST;
}

int plan_make(struct plan *p, const struct catalog *c, const struct topic *t)
{
	struct planning g = {.plan = p, .usual = usual(c)};
	size_t at = 0;

	*p = (struct plan){.part = NULL};
	for (int32_t i = 0; i < t->partitions && !g.error; i++) {
		int64_t next = t->partition[i].from;

		g.passed = 0;
		for (; at < c->count && c->entry[at].partition == (uint32_t)i; at++) {
			if (c->entry[at].offset < next)
				continue;
			need_unknown(&g, i, next, c->entry[at].offset);
			look_at(&g, &c->entry[at]);
			next = c->entry[at].offset + 1;
		}
		need_unknown(&g, i, next, t->partition[i].end);
	}
	p->is_little = g.needed < g.all / 2 || !p->count;
	return g.error;
}

void plan_free(struct plan *p)
{
	free(p->part);
	*p = (struct plan){.part = NULL};
}
