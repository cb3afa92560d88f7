/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A chain of tests as one binary search per field: of values, or of the bounds of ranges. */
#include <stdlib.h>

#include "gen.h"

enum { LEAF = 16 }; /* values compared one after the other: each level above may be mispredicted */

static int compare_values(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The key's values, sorted, each once, without those that no masked field can have. */
static unsigned collect(const struct chain *chain, const struct key *key, uint32_t *value)
{
	uint32_t possible = key->mask & field_ones(&key->field);
	unsigned n = 0, distinct = 0;

	for (unsigned i = 0; i < chain->n; i++)
		if (plan_is_of_key(&chain->test[i], key) && !(chain->test[i].value & ~possible))
			value[n++] = gen_raw(chain->test[i].value, key->field.size);
	qsort(value, n, sizeof(*value), compare_values);
	for (unsigned i = 0; i < n; i++)
		if (!distinct || value[distinct - 1] != value[i])
			value[distinct++] = value[i];
	return distinct;
}

/* Falls through, or jumps to miss if more code of this search follows. */
static void search(struct code *c, const uint32_t *value, unsigned n, int hit, int miss, bool last)
{
	int upper;

	if (n <= LEAF) {
		for (unsigned i = 0; i < n; i++)
			code_branch(c, BPF_JMP32 | BPF_JEQ | BPF_K, REG_A, 0, (int32_t)value[i],
				    hit);
		if (!last)
			code_jump(c, miss);
		return;
	}
	upper = code_labels(c, 1);
	code_branch(c, BPF_JMP32 | BPF_JGE | BPF_K, REG_A, 0, (int32_t)value[n / 2], upper);
	search(c, value, n / 2, hit, miss, false);
	code_place(c, upper);
	search(c, value + n / 2, n - n / 2, hit, miss, last);
}

static void load_key(struct gen *g, unsigned i, const struct field *field)
{
	struct load load = {
		.field = *field,
		.to = REG_A,
		.keep = g->plan.need[i].x_live,
	};

	gen_load(g, &load);
}

static void gen_values(struct gen *g, unsigned i, const struct key *key, uint32_t *value)
{
	const struct chain *chain = g->plan.chain[i];
	unsigned n = collect(chain, key, value), size = key->field.size;
	uint32_t all = field_ones(&key->field), mask = key->mask & all;
	int miss = code_labels(g->code, 1);
	int hit = gen_target(g, chain->t);

	if (!n)
		return;
	load_key(g, i, &key->field);
	if (mask != all) {
		code_insn(g->code, BPF_ALU | BPF_AND | BPF_K, REG_A, 0, 0,
			  (int32_t)gen_raw(mask, size));
		gen_forget(g, REG_A, REG_A); /* shape.c */
	}
	search(g->code, value, n, hit, miss, true);
	code_place(g->code, miss);
}

/* The key's ranges, without those that the field cannot be in. */
static unsigned collect_spans(const struct chain *chain, const struct key *key, struct span *span)
{
	uint32_t all = field_ones(&key->field);
	unsigned n = 0;

	for (unsigned i = 0; i < chain->n; i++) {
		const struct test *test = &chain->test[i];
		uint32_t lower = ~test->mask & all;

		if (plan_is_of_key(test, key) && !(test->value & (~all | lower)))
			span[n++] = (struct span){test->value, smaller(test->last, all) | lower};
	}
	return n;
}

static void gen_ranges(struct gen *g, unsigned i, const struct key *key, struct span *span,
		       uint32_t *bound)
{
	const struct chain *chain = g->plan.chain[i];
	unsigned n = plan_bounds(span, collect_spans(chain, key, span), bound);
	int miss = code_labels(g->code, 1);

	load_key(g, i, &key->field);
	gen_swap(g, REG_A, key->field.size);
	gen_bounds(g->code, bound, n, gen_target(g, chain->t), miss);
	code_place(g->code, miss);
}

/* What follows a chain that nothing matched may go on with A. */
static void reload(struct gen *g, unsigned i)
{
	const struct test *last = &g->plan.chain[i]->last;

	load_key(g, i, &last->field);
	if (!plan_raw(&g->plan, g->plan.p->n + 1 + i))
		gen_swap(g, REG_A, last->field.size);
	if (last->mask != UINT32_MAX)
		code_insn(g->code, BPF_ALU | BPF_AND | BPF_K, REG_A, 0, 0, (int32_t)last->mask);
}

/* All fields of the chain at once: short frames go to the tests one by one. */
static void guard_chain(struct gen *g, unsigned i)
{
	const struct chain *chain = g->plan.chain[i];
	const struct range *r = &g->plan.range[i];
	int tests = g->tests_label + (int)i;

	if (g->plan.view.helper) {
		gen_guard_length(g, chain, tests);
		return;
	}
	if (r->known < chain->abs_end)
		gen_guard(g, REG_A, chain->abs_end, tests);
	if (r->known_x < chain->ind_end)
		gen_guard_x(g, r, chain->ind_end, tests, tests);
}

void gen_chain(struct gen *g, unsigned i)
{
	const struct chain *chain = g->plan.chain[i];
	uint32_t *value = calloc(2 * (size_t)chain->n, sizeof(*value));
	struct span *span = calloc(chain->n, sizeof(*span));

	if (!value || !span)
		g->code->out_of_memory = true;
	guard_chain(g, i);
	for (unsigned k = 0; k < chain->n_keys && value && span; k++)
		if (chain->key[k].spans)
			gen_ranges(g, i, &chain->key[k], span, value);
		else
			gen_values(g, i, &chain->key[k], value);
	free(value);
	free(span);
	if (!plan_rejects(&g->plan, chain->f) && g->plan.need[chain->f].a_live)
		reload(g, i);
	code_jump(g->code, gen_target(g, chain->f));
}
