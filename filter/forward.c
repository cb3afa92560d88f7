/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What each node may rely on: guards that were passed, X's bounds, and the byte order of A. */
#include <errno.h>
#include <stdlib.h>

#include "plan.h"

/* The state along an edge. */
struct state {
	struct range range;
	unsigned a_from;
};

static unsigned find_set(unsigned *set, unsigned d)
{
	while (set[d] != d)
		d = set[d] = set[set[d]];
	return d;
}

static unsigned unite(unsigned *set, unsigned a, unsigned b)
{
	if (a == NEVER)
		return b;
	if (b == NEVER)
		return a;
	a = find_set(set, a);
	set[a] = find_set(set, b);
	return set[a];
}

/* May paths that join differ in something that the verifier must know? */
static bool may_differ(const struct plan *plan, unsigned to, const struct range *r)
{
	const struct need *need = &plan->need[to];
	unsigned x_from = plan->range[to].x_from;

	if (need->m_live)
		return true;
	if (plan->p->node[to].meeting)
		return false;
	return need->a_live || (need->x_live && (x_from == NEVER || x_from != r->x_from));
}

static void flow(struct plan *plan, unsigned to, const struct state *s)
{
	struct range *r = &plan->range[to];
	unsigned a_from = plan->need[to].a_live ? s->a_from : NEVER;

	if (plan_rejects(plan, to))
		return;
	if (plan->reached[to] && may_differ(plan, to, &s->range))
		plan->meets++;
	if (!plan->reached[to]) {
		plan->reached[to] = true;
		*r = s->range;
		plan->a_from[to] = a_from;
		return;
	}
	r->known = smaller(r->known, s->range.known);
	r->known_x = smaller(r->known_x, s->range.known_x);
	r->p_max = larger(r->p_max, s->range.p_max);
	r->x_max = larger(r->x_max, s->range.x_max);
	r->x_from = r->x_from == s->range.x_from ? r->x_from : NEVER;
	r->short_of = larger(r->short_of, s->range.short_of);
	r->a_shape |= s->range.a_shape;
	r->x_shape |= s->range.x_shape;
	r->linked |= s->range.linked;
	plan->a_from[to] = unite(plan->set, plan->a_from[to], a_from);
}

bool range_stale(const struct range *r, uint32_t end)
{
	return !r->known_x || r->p_max + end > DIRECT_END;
}

static void ask_abs(const struct plan *plan, unsigned i, struct range *r, uint32_t end)
{
	if (r->known < end)
		r->known = plan_guard(plan, i, end);
}

static void ask_x(struct range *r, uint32_t end)
{
	if (range_stale(r, end)) {
		r->p_max = smaller(r->x_max, DIRECT_END - end);
		if (r->x_max > DIRECT_END - end)
			shape_split_x(r);
	}
	r->known_x = end;
}

static void range_after_load(const struct plan *plan, unsigned i, struct range *r)
{
	const struct node *q = &plan->p->node[i];
	struct field field = node_field(q);
	uint32_t end = field_end(&plan->view, field);

	if (!field_plain(&plan->view, field))
		return;
	if (field.mode == BPF_ABS)
		ask_abs(plan, i, r, end);
	else if (r->known_x < end)
		ask_x(r, plan_guard_x(plan, i, end));
}

/*
 * Bounds of X are only trusted if they come from the load itself. From Linux 6.10 on, the verifier
 * links copies of a register, and a test of one copy may widen what it knows of the other.
 */
static void range_new_x(const struct plan *plan, unsigned i, struct range *r)
{
	const struct node *q = &plan->p->node[i];

	r->known_x = 0;
	r->x_max = UINT32_MAX;
	r->x_from = i;
	if (q->code == (BPF_LDX | BPF_B | BPF_MSH)) {
		range_after_load(plan, i, r);
		r->x_max = 0xf << 2;
	} else if (q->code == (BPF_LDX | BPF_IMM)) {
		r->x_max = q->k;
	}
}

static void step(const struct plan *plan, unsigned i, struct state *s)
{
	const struct node *q = &plan->p->node[i];

	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
		s->a_from = i;
		if (node_is_packet_load(q))
			range_after_load(plan, i, &s->range);
		break;
	case BPF_LDX:
		range_new_x(plan, i, &s->range);
		break;
	case BPF_ALU:
		s->a_from = i;
		break;
	case BPF_STX:
		s->range.x_max = UINT32_MAX;
		break;
	case BPF_MISC:
		s->range.x_max = UINT32_MAX;
		if (BPF_MISCOP(q->code) == BPF_TAX) {
			s->range.known_x = 0;
			s->range.x_from = i;
		} else {
			s->a_from = i;
		}
		break;
	}
	shape_step(q, &s->range);
}

/*
 * P is computed again before the guard that fails, so nothing is known of P afterwards. What is
 * known is that the frame lacks the chain's last field: the single tests end where that is loaded.
 */
void plan_chain_failed(const struct chain *c, struct range *r)
{
	if (!c->ind_end)
		r->short_of = smaller(r->short_of, c->abs_end);
	if (r->known_x < c->ind_end && range_stale(r, c->ind_end)) {
		r->known_x = 0;
		if (r->x_max > DIRECT_END - c->ind_end)
			shape_split_x(r);
	}
}

/* Returns true if the single tests are needed as well; *s is then their state. */
static bool step_chain(struct plan *plan, unsigned i, struct state *s)
{
	struct chain *c = plan->chain[i];
	struct state after = *s;

	c->linear = !c->parts && (plan->view.helper || s->range.known < c->abs_end ||
				  s->range.known_x < c->ind_end);
	after.range.known = larger(s->range.known, c->abs_end); /* by helper, loads do not */
	if (s->range.known_x < c->ind_end)
		ask_x(&after.range, c->ind_end);
	plan_chain_failed(c, &s->range);
	after.range.a_shape = c->last.mask == UINT32_MAX ? SHAPE_FULL : SHAPE_BITS;
	after.range.linked = false;
	after.a_from = plan->p->n + 1 + i;
	flow(plan, c->f, &after);
	if (!c->t_rejects)
		flow(plan, c->t, &after);
	return c->linear;
}

bool plan_load_fails(const struct plan *plan, unsigned i, const struct range *r)
{
	const struct node *q = &plan->p->node[i];
	struct field field = node_field(q);
	bool fixed = (node_is_packet_load(q) && field.mode == BPF_ABS) ||
		     q->code == (BPF_LDX | BPF_B | BPF_MSH);

	return fixed && field_plain(&plan->view, field) &&
	       field_end(&plan->view, field) >= r->short_of && r->short_of != NEVER;
}

/* A and X are restored from the stack (gen_body()), so P does not belong to that X. */
static void forget(struct range *r, unsigned i)
{
	r->known_x = 0;
	r->x_max = UINT32_MAX;
	r->x_from = i;
	r->a_shape = r->x_shape = SHAPE_FULL;
	r->linked = false;
}

void plan_forward(struct plan *plan)
{
	const struct classic *p = plan->p;
	struct state s = {.range = {.short_of = NEVER, .x_from = p->n}, .a_from = p->n};

	for (unsigned d = 0; d < 2 * p->n + 1; d++)
		plan->set[d] = d;
	flow(plan, p->entry, &s);
	for (unsigned i = p->entry; i < p->n; i++) {
		const struct node *q = &p->node[i];

		if (!plan->reached[i])
			continue;
		if (q->meeting)
			forget(&plan->range[i], i);
		s = (struct state){.range = plan->range[i], .a_from = plan->a_from[i]};
		if (plan->chain[i] && !step_chain(plan, i, &s))
			continue;
		if (BPF_CLASS(q->code) == BPF_RET || plan_load_fails(plan, i, &s.range))
			continue;
		if (plan->spans[i]) {
			plan->n_spans++;
			s.range.a_shape = SHAPE_FULL; /* it is restored from the stack */
			s.range.linked = false;
			flow(plan, plan->spans[i]->t, &s);
			flow(plan, plan->spans[i]->f, &s);
			continue;
		}
		if (node_is_branch(q))
			shape_branch(q, &s.range);
		else
			step(plan, i, &s);
		flow(plan, q->t, &s);
		if (q->f != q->t)
			flow(plan, q->f, &s);
	}
}

/* The size if definition d may stay in network order, else 0. */
static uint8_t raw_size(const struct plan *plan, unsigned d)
{
	const struct classic *p = plan->p;
	const struct chain *c;

	if (d < p->n) {
		const struct node *q = &p->node[d];

		if (!node_is_packet_load(q) || !plan->need[q->t].raw_ok)
			return 0;
		return node_size(q) > 1 ? (uint8_t)node_size(q) : 0;
	}
	if (d == p->n)
		return 0;
	c = plan->chain[d - p->n - 1];
	if (c->last.mask != UINT32_MAX || c->last.field.size == 1 || !plan->need[c->f].raw_ok)
		return 0;
	return (uint8_t)c->last.field.size;
}

static bool defines_a(const struct plan *plan, unsigned d)
{
	const struct classic *p = plan->p;
	const struct node *q;

	if (d == p->n)
		return true;
	if (d > p->n)
		return plan->chain[d - p->n - 1] != NULL;
	q = &p->node[d];
	return plan->reached[d] && (BPF_CLASS(q->code) == BPF_LD || BPF_CLASS(q->code) == BPF_ALU ||
				    q->code == (BPF_MISC | BPF_TXA));
}

/* Definitions that have a use in common must agree: if one cannot stay raw, or has another size,
 * none can. */
int plan_raw_widths(struct plan *plan)
{
	enum { NONE_YET = 0xff };
	unsigned n = 2 * plan->p->n + 1;
	uint8_t *width = malloc(n);

	if (!width)
		return -ENOMEM;
	for (unsigned d = 0; d < n; d++)
		width[d] = NONE_YET;
	for (unsigned d = 0; d < n; d++) {
		uint8_t *w = &width[find_set(plan->set, d)];
		uint8_t size;

		if (!defines_a(plan, d))
			continue;
		size = raw_size(plan, d);
		*w = *w == NONE_YET || *w == size ? size : 0;
	}
	for (unsigned d = 0; d < n; d++) {
		uint8_t w = width[find_set(plan->set, d)];

		plan->raw_width[d] = w == NONE_YET ? 0 : w;
	}
	free(width);
	return 0;
}

uint8_t plan_raw(const struct plan *plan, unsigned definition)
{
	return definition == NEVER ? 0 : plan->raw_width[definition];
}
