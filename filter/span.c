/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Lists of ranges of one value: `portrange a or portrange b or ...`; each is a span, and so are
 * single values. A is compared with one bound after the other, and whatever the outcome, the list
 * goes on: the verifier follows the rest of it for each outcome. Sorted bounds can be searched.
 */
#include <errno.h>
#include <stdlib.h>

#include "plan.h"

enum { MIN_SPANS = 8 }; /* with fewer, a search is no faster */

struct list {
	struct span *span;
	unsigned n, hit, miss;
	unsigned *ways; /* number of ways that lead to each node */
};

/* One span of a list. */
struct item {
	struct span span;
	unsigned hit, miss;
	bool alone; /* nothing but the comparison for this span goes to its miss */
};

static void count_ways(const struct classic *p, unsigned *ways)
{
	ways[p->entry] = 1;
	for (unsigned i = p->entry; i < p->n; i++) {
		const struct node *q = &p->node[i];

		if (!ways[i] || BPF_CLASS(q->code) == BPF_RET)
			continue;
		ways[q->t]++;
		if (q->f != q->t)
			ways[q->f]++;
	}
}

static bool same_place(const struct plan *plan, unsigned a, unsigned b)
{
	return a == b || (plan_rejects(plan, a) && plan_rejects(plan, b));
}

/* Reads `A >= from`, and then not `A > to`; or `A == from`. */
static bool read_span(const struct plan *plan, unsigned at, const unsigned *ways, struct item *s)
{
	const struct node *q = &plan->p->node[at], *r;

	if (!node_is_branch(q)) /* the last node of a program has no successor */
		return false;
	r = &plan->p->node[q->t];
	*s = (struct item){.span = {q->k, q->k}, .hit = q->t, .miss = q->f};
	s->alone = ways[q->f] == 1;
	if (q->code == (BPF_JMP | BPF_JEQ | BPF_K))
		return true;
	s->span.to = r->k;
	s->hit = r->f;
	s->alone = ways[q->t] == 1 && ways[q->f] == 2;
	return q->code == (BPF_JMP | BPF_JGE | BPF_K) && r->code == (BPF_JMP | BPF_JGT | BPF_K) &&
	       same_place(plan, q->f, r->t);
}

/* Collects the list from a node on; if other code joins it, another list begins. */
static void collect(const struct plan *plan, unsigned at, struct list *list, bool *seen)
{
	struct item s = {.alone = true};

	list->n = 0;
	while (s.alone && !seen[at] && !plan_rejects(plan, at) &&
	       read_span(plan, at, list->ways, &s)) {
		if (same_place(plan, s.hit, s.miss) ||
		    (list->n && !same_place(plan, s.hit, list->hit)))
			return;
		if (!list->n)
			list->hit = s.hit;
		list->span[list->n++] = s.span;
		seen[at] = true;
		at = list->miss = s.miss;
	}
}

static int compare_spans(const void *a, const void *b)
{
	uint32_t x = ((const struct span *)a)->from, y = ((const struct span *)b)->from;

	return x < y ? -1 : x > y;
}

/* Spans that overlap or touch become one; the last one may have no upper bound. */
unsigned plan_bounds(struct span *span, unsigned n, uint32_t *bound)
{
	uint64_t end = 0; /* of the previous span */
	unsigned bounds = 0;

	qsort(span, n, sizeof(*span), compare_spans);
	for (unsigned i = 0; i < n; i++) {
		const struct span *s = &span[i];

		if (s->from > s->to || (bounds && s->to < end))
			continue;
		if (bounds && s->from <= end)
			bounds--;
		else
			bound[bounds++] = s->from;
		end = (uint64_t)s->to + 1;
		bound[bounds++] = (uint32_t)end;
	}
	return end > UINT32_MAX ? bounds - 1 : bounds;
}

static int add_spans(struct plan *plan, unsigned i, struct list *list)
{
	struct spans *spans = calloc(1, sizeof(*spans));

	if (spans)
		spans->bound = calloc(2 * (size_t)list->n, sizeof(*spans->bound));
	if (!spans || !spans->bound) {
		free(spans);
		return -ENOMEM;
	}
	spans->t = list->hit;
	spans->f = list->miss;
	spans->n = plan_bounds(list->span, list->n, spans->bound);
	plan->spans[i] = spans;
	return 0;
}

int plan_lists(struct plan *plan)
{
	const struct classic *p = plan->p;
	struct list list = {
		.span = calloc(p->n, sizeof(*list.span)),
		.ways = calloc(p->n, sizeof(*list.ways)),
	};
	bool *seen = calloc(p->n, sizeof(*seen));
	int e = list.span && list.ways && seen ? 0 : -ENOMEM;

	if (!e)
		count_ways(p, list.ways);
	for (unsigned i = p->entry; !e && i < p->n; i++) {
		if (seen[i] || !list.ways[i] || !node_is_branch(&p->node[i]) ||
		    plan->need[i].raw_ok)
			continue;
		collect(plan, i, &list, seen);
		if (list.n >= MIN_SPANS)
			e = add_spans(plan, i, &list);
	}
	free(list.span);
	free(list.ways);
	free(seen);
	return e;
}
