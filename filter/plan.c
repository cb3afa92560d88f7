/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

static int plan_allocate(struct plan *plan)
{
	unsigned n = plan->p->n;

	plan->need = calloc(n, sizeof(*plan->need));
	plan->range = calloc(n, sizeof(*plan->range));
	plan->reached = calloc(n, sizeof(*plan->reached));
	plan->chain = calloc(n, sizeof(*plan->chain));
	plan->spans = calloc(n, sizeof(*plan->spans));
	plan->set = calloc(2 * n + 1, sizeof(*plan->set));
	plan->a_from = calloc(n, sizeof(*plan->a_from));
	plan->raw_width = calloc(2 * n + 1, sizeof(*plan->raw_width));
	if (!plan->need || !plan->range || !plan->reached || !plan->chain || !plan->spans ||
	    !plan->set || !plan->a_from || !plan->raw_width)
		return -ENOMEM;
	return 0;
}

int plan_make(struct plan *plan, const struct classic *p, const struct view *view)
{
	int e;

	*plan = (struct plan){.p = p, .view = *view};
	e = plan_allocate(plan);
	if (e)
		return e;
	plan_needs(plan);
	if (!(view->disable & FILTER_NO_CHAINS))
		e = plan_chains(plan);
	if (!e && !(view->disable & FILTER_NO_CHAINS))
		e = plan_lists(plan);
	if (e)
		return e;
	plan_forward(plan);
	return view->disable & FILTER_NO_RAW ? 0 : plan_raw_widths(plan);
}

static void free_spans(struct plan *plan)
{
	for (unsigned i = 0; plan->spans && i < plan->p->n; i++) {
		if (!plan->spans[i])
			continue;
		free(plan->spans[i]->bound);
		free(plan->spans[i]);
	}
	free(plan->spans);
}

void plan_free(struct plan *plan)
{
	free_spans(plan);
	for (unsigned i = 0; plan->chain && i < plan->p->n; i++) {
		if (!plan->chain[i])
			continue;
		free(plan->chain[i]->test);
		free(plan->chain[i]->key);
		free(plan->chain[i]);
	}
	free(plan->need);
	free(plan->range);
	free(plan->reached);
	free(plan->chain);
	free(plan->set);
	free(plan->a_from);
	free(plan->raw_width);
	memset(plan, 0, sizeof(*plan));
}
