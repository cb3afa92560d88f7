/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A chain of tests as one binary search per field: of values, or of the bounds of ranges. */
#include <stdlib.h>

#include "gen.h"

enum { LEAF = 16 }; /* compared one by one: each level above may be mispredicted */

/* The values that A is compared with. */
struct values {
	const uint32_t *value;
	int hit, step, miss;
};

/* The tests of one key, room for as many values, and where to go. */
struct list {
	const struct key *key;
	const struct test **test;
	unsigned n;
	uint32_t *value;
	struct span *span;
	int hit, miss;
};

static int compare_values(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Sorts the values, and removes duplicates. */
static unsigned sort_values(uint32_t *value, unsigned n)
{
	unsigned distinct = 0;

	qsort(value, n, sizeof(*value), compare_values);
	for (unsigned i = 0; i < n; i++)
		if (!distinct || value[distinct - 1] != value[i])
			value[distinct++] = value[i];
	return distinct;
}

/*
 * Falls through, or jumps to miss if more code of this search follows. The label to jump to
 * increases by `step` from value to value.
 */
static void search(struct code *c, const struct values *v, unsigned from, unsigned to, bool last)
{
	unsigned middle = from + (to - from) / 2;
	int upper;

	if (to - from <= LEAF) {
		for (unsigned i = from; i < to; i++)
			code_branch(c, BPF_JMP32 | BPF_JEQ | BPF_K, REG_A, 0, (int32_t)v->value[i],
				    v->hit + (int)i * v->step);
		if (!last)
			code_jump(c, v->miss);
		return;
	}
	upper = code_labels(c, 1);
	code_branch(c, BPF_JMP32 | BPF_JGE | BPF_K, REG_A, 0, (int32_t)v->value[middle], upper);
	search(c, v, from, middle, false);
	code_place(c, upper);
	search(c, v, middle, to, last);
}

static void load_key(struct gen *g, unsigned i, const struct field *field)
{
	struct load load = {
		.field = *field,
		.to = REG_A,
		.keep = g->plan.need[i].x_live,
	};

	gen_frame_load(g, &load);
}

static void gen_values(struct gen *g, unsigned i, const struct list *list)
{
	const struct key *key = list->key;
	unsigned n = 0, size = key->field.size;
	uint32_t all = field_ones(&key->field), mask = key->mask & all;
	struct values v = {.value = list->value, .hit = list->hit, .miss = list->miss};

	for (unsigned k = 0; k < list->n; k++)
		if (!(list->test[k]->value & ~mask)) /* otherwise no masked field can have it */
			list->value[n++] = gen_raw(list->test[k]->value, size);
	n = sort_values(list->value, n);
	load_key(g, i, &key->field);
	if (mask != all)
		code_insn(g->code, BPF_ALU | BPF_AND | BPF_K, REG_A, 0, 0,
			  (int32_t)gen_raw(mask, size));
	if (mask != all && n > 1)
		gen_forget(g, REG_A, REG_A); /* shape.c */
	search(g->code, &v, 0, n, !key->n_front);
}

static void gen_ranges(struct gen *g, unsigned i, const struct list *list)
{
	const struct field *field = &list->key->field;
	uint32_t all = field_ones(field);
	unsigned n = 0;

	for (unsigned k = 0; k < list->n; k++) {
		const struct test *test = list->test[k];
		uint32_t lower = ~test->mask & all;

		if (!(test->value & (~all | lower))) /* otherwise the field cannot be in it */
			list->span[n++] =
				(struct span){test->value, smaller(test->last, all) | lower};
	}
	n = plan_bounds(list->span, n, list->value);
	load_key(g, i, field);
	gen_swap(g, REG_A, field->size);
	gen_bounds(g->code, list->value, n, list->hit, list->miss);
}

static uint32_t raw_front(const struct test *test, unsigned part)
{
	return gen_raw(test->front[part].value, test->front[part].field.size);
}

/* By the fields in front, in the order that searches use. */
static int compare_fronts(const void *a, const void *b)
{
	const struct test *x = *(const struct test *const *)a;
	const struct test *y = *(const struct test *const *)b;

	for (unsigned i = 0; i < x->n_front; i++)
		if (raw_front(x, i) != raw_front(y, i))
			return raw_front(x, i) < raw_front(y, i) ? -1 : 1;
	return 0;
}

/* For one field after the other, a search among the tests that agree with the fields before. */
static void gen_parts(struct gen *g, unsigned i, const struct list *list, unsigned part)
{
	struct values v = {.value = list->value, .step = 1, .miss = list->miss};
	struct list same = *list;
	const struct field *field;
	unsigned n = 0;

	if (part == list->key->n_front) {
		if (list->key->spans)
			gen_ranges(g, i, list);
		else
			gen_values(g, i, list);
		return;
	}
	field = &list->key->front[part].field;
	for (unsigned k = 0; k < list->n; k++)
		list->value[n++] = raw_front(list->test[k], part);
	n = sort_values(list->value, n);
	v.hit = code_labels(g->code, n);
	load_key(g, i, field);
	search(g->code, &v, 0, n, false);
	for (unsigned from = 0; from < list->n; from += same.n) {
		same.test = list->test + from;
		for (same.n = 1; from + same.n < list->n; same.n++)
			if (raw_front(same.test[same.n], part) != raw_front(same.test[0], part))
				break;
		code_place(g->code, v.hit++);
		gen_parts(g, i, &same, part + 1);
	}
}

/* False if no field can have one of the values in front. */
static bool can_hold(const struct test *test)
{
	for (unsigned i = 0; i < test->n_front; i++)
		if (test->front[i].value & ~field_ones(&test->front[i].field))
			return false;
	return true;
}

static void gen_key(struct gen *g, unsigned i, struct list *list)
{
	const struct chain *chain = g->plan.chain[i];

	list->n = 0;
	for (unsigned k = 0; k < chain->n; k++)
		if (plan_is_of_key(&chain->test[k], list->key) && can_hold(&chain->test[k]))
			list->test[list->n++] = &chain->test[k];
	if (!list->n)
		return;
	qsort(list->test, list->n, sizeof(*list->test), compare_fronts);
	list->hit = gen_target(g, chain->t);
	list->miss = code_labels(g->code, 1);
	gen_parts(g, i, list, 0);
	code_place(g->code, list->miss);
}
/* What follows a chain may use A if nothing in it matched. */
static void reload(struct gen *g, unsigned i)
{
	const struct test *last = &g->plan.chain[i]->last;

	load_key(g, i, &last->field);
	if (!plan_raw(&g->plan, g->plan.p->n + 1 + i))
		gen_swap(g, REG_A, last->field.size);
	if (last->mask != UINT32_MAX)
		code_insn(g->code, BPF_ALU | BPF_AND | BPF_K, REG_A, 0, 0, (int32_t)last->mask);
}

/* Checks for all fields of the chain at once: short frames go to the single tests, or to the helper
 * form. */
static void guard_chain(struct gen *g, unsigned i)
{
	const struct chain *chain = g->plan.chain[i];
	const struct range *r = &g->plan.range[i];
	int tests = chain->parts ? g->beyond : g->tests_label + (int)i;

	if (g->plan.view.helper) {
		gen_guard_length(g, chain, tests);
		return;
	}
	if (r->known < chain->abs_end)
		gen_guard(g, REG_A, chain->abs_end, tests);
	if (r->known_x < chain->ind_end)
		gen_guard_x(g, r, chain->ind_end, tests, tests);
}

static void gen_searches(struct gen *g, unsigned i)
{
	const struct chain *chain = g->plan.chain[i];
	struct list list = {
		.test = calloc(chain->n, sizeof(*list.test)),
		.value = calloc(2 * (size_t)chain->n, sizeof(*list.value)),
		.span = calloc(chain->n, sizeof(*list.span)),
	};

	guard_chain(g, i);
	if (!list.test || !list.value || !list.span)
		g->code->out_of_memory = true;
	for (unsigned k = 0; k < chain->n_keys && !g->code->out_of_memory; k++) {
		list.key = &chain->key[k];
		gen_key(g, i, &list);
	}
	free(list.test);
	free(list.value);
	free(list.span);
}

void gen_chain(struct gen *g, unsigned i)
{
	const struct chain *chain = g->plan.chain[i];

	if (chain->parts && g->plan.view.helper)
		gen_parts_by_helper(g, i);
	else
		gen_searches(g, i);
	if (!plan_rejects(&g->plan, chain->f) && g->plan.need[chain->f].a_live)
		reload(g, i);
	code_jump(g->code, gen_target(g, chain->f));
}
