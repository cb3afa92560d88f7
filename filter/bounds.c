/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A list of spans as a binary search of their bounds. */
#include "gen.h"

enum { LEAF = 8 }; /* bounds that are compared one after the other */

struct search {
	struct code *code;
	const uint32_t *bound;
	int place[2]; /* labels, indexed by whether A is in a span */
};

/* A is at least the bound before `from`, and less than bound `to`, which may not exist. */
static void search(const struct search *s, unsigned from, unsigned to)
{
	unsigned middle = from + (to - from) / 2;
	int upper;

	if (to - from <= LEAF) {
		for (unsigned i = from; i < to; i++)
			code_branch(s->code, BPF_JMP32 | BPF_JLT | BPF_K, REG_A, 0,
				    (int32_t)s->bound[i], s->place[i % 2]);
		code_jump(s->code, s->place[to % 2]);
		return;
	}
	upper = code_labels(s->code, 1);
	code_branch(s->code, BPF_JMP32 | BPF_JGE | BPF_K, REG_A, 0, (int32_t)s->bound[middle],
		    upper);
	search(s, from, middle);
	code_place(s->code, upper);
	search(s, middle + 1, to);
}

void gen_bounds(struct code *code, const uint32_t *bound, unsigned n, int in, int out)
{
	struct search s = {.code = code, .bound = bound, .place = {out, in}};

	search(&s, 0, n);
}

static bool has_a(const struct gen *g, unsigned i)
{
	return !plan_rejects(&g->plan, i) && g->plan.need[i].a_live;
}

/* Restores A: otherwise the verifier would follow the rest again for each bound. */
static void leave(struct gen *g, int label, unsigned i)
{
	if (!has_a(g, i))
		return;
	code_place(g->code, label);
	code_load(g->code, 4, REG_A, BPF_REG_10, stack_at(g, SLOT_FORGETFUL));
	code_jump(g->code, gen_target(g, i));
}

void gen_spans(struct gen *g, unsigned i)
{
	const struct spans *spans = g->plan.spans[i];
	unsigned way[2] = {spans->f, spans->t};
	int place[2];

	for (unsigned k = 0; k < 2; k++)
		place[k] = has_a(g, way[k]) ? code_labels(g->code, 1) : gen_target(g, way[k]);
	if (!shape_is_searched(&g->plan.range[i]))
		gen_forget(g, REG_A, REG_A);
	else if (has_a(g, spans->t) || has_a(g, spans->f))
		code_store(g->code, 4, BPF_REG_10, stack_at(g, SLOT_FORGETFUL), REG_A);
	gen_bounds(g->code, spans->bound, spans->n, place[1], place[0]);
	for (unsigned k = 0; k < 2; k++)
		leave(g, place[k], way[k]);
}
