/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Skips comparisons whose outcome is known. `net A or net B or ...` compares the protocol again in
 * each term; after a term that failed only because of its address, it is known. What is left of a
 * list is a series of comparisons of one field, which chain.c turns into a search.
 *
 * Known is what comparisons on every path to a node have shown about fields at fixed offsets. That
 * includes that the frame has the field, so the load that is skipped could not have rejected the
 * frame.
 *
 * A load of what A or X already contains is skipped as well: `portrange A or portrange B or ...`
 * loads the header's length and the port twice in each term.
 */
#include <errno.h>
#include <stdlib.h>

#include "classic.h"

enum { FACTS = 12, STEPS_PER_NODE = 32 };

/* What A was loaded from; size 0: something else. */
struct content {
	uint32_t k, mask;
	uint32_t size;
	bool indexed; /* k is relative to the current X */
};

struct fact {
	struct content a;
	uint32_t value; /* the constant of the comparison */
	uint16_t op;
	bool holds;
};

struct state {
	bool reached;
	struct content a;
	bool x_known; /* X is the length of the header at offset x */
	uint32_t x;
	unsigned n;
	struct fact fact[FACTS];
};

struct threading {
	struct classic *p;
	struct state *at; /* on entry to each node, on every path */
	bool *a_live;
	uint64_t steps; /* steps left: a limit for programs that were written to take long */
};

static bool same_content(const struct content *a, const struct content *b)
{
	return a->size == b->size && a->k == b->k && a->mask == b->mask && a->indexed == b->indexed;
}

static bool same_question(const struct fact *a, const struct fact *b)
{
	return same_content(&a->a, &b->a) && a->value == b->value && a->op == b->op;
}

static bool is_value(const struct fact *f)
{
	return f->op == BPF_JEQ && f->holds;
}

static bool has_fact(const struct state *s, const struct fact *f)
{
	for (unsigned i = 0; i < s->n; i++)
		if (same_question(&s->fact[i], f) && s->fact[i].holds == f->holds)
			return true;
	return false;
}

static void join(struct state *to, const struct state *from)
{
	unsigned kept = 0;

	if (!to->reached) {
		*to = *from;
		to->reached = true;
		return;
	}
	for (unsigned i = 0; i < to->n; i++)
		if (has_fact(from, &to->fact[i]))
			to->fact[kept++] = to->fact[i];
	to->n = kept;
	if (!same_content(&to->a, &from->a))
		to->a.size = 0;
	to->x_known = to->x_known && from->x_known && to->x == from->x;
}

/* The first facts are kept: protocols are compared before addresses. */
static void learn(struct state *s, const struct fact *f)
{
	if (s->n < FACTS && !has_fact(s, f))
		s->fact[s->n++] = *f;
}

/* Is the outcome of f known? If so, it is in f->holds. */
static bool decide(const struct state *s, struct fact *f)
{
	for (unsigned i = 0; i < s->n; i++) {
		const struct fact *g = &s->fact[i];

		if (is_value(g) && g->a.k == f->a.k && g->a.size == f->a.size &&
		    !(f->a.mask & ~g->a.mask))
			f->holds = classic_compare(f->op, g->value & f->a.mask, f->value);
		else if (same_question(g, f))
			f->holds = g->holds;
		else
			continue;
		return true;
	}
	return false;
}

static bool is_fixed_load(const struct node *q)
{
	return node_is_packet_load(q) && BPF_MODE(q->code) == BPF_ABS;
}

static bool is_header_length(const struct node *q)
{
	return q->code == (BPF_LDX | BPF_B | BPF_MSH);
}

static bool is_mask(const struct node *q)
{
	return q->code == (BPF_ALU | BPF_AND | BPF_K);
}

static bool is_question(const struct node *q, const struct content *a, struct fact *f)
{
	if (!node_is_branch(q) || node_uses_x(q) || !a->size || a->indexed)
		return false;
	*f = (struct fact){.a = *a, .op = BPF_OP(q->code), .value = q->k};
	return true;
}

static struct content content_of(const struct node *q)
{
	return (struct content){.k = q->k,
				.mask = UINT32_MAX,
				.size = node_size(q),
				.indexed = BPF_MODE(q->code) == BPF_IND};
}

static void apply(struct content *a, const struct node *q)
{
	if (node_is_packet_load(q))
		*a = content_of(q);
	else if (is_mask(q))
		a->mask &= q->k;
	else if (BPF_CLASS(q->code) == BPF_LD || BPF_CLASS(q->code) == BPF_ALU ||
		 q->code == (BPF_MISC | BPF_TXA))
		a->size = 0;
}

static void apply_x(struct state *s, const struct node *q)
{
	if (BPF_CLASS(q->code) != BPF_LDX && q->code != (BPF_MISC | BPF_TAX))
		return;
	s->x_known = is_header_length(q);
	s->x = q->k;
	if (s->a.indexed)
		s->a.size = 0;
}

/* A comparison for equality keeps its load, because chain.c begins there. */
static bool is_held(const struct threading *t, const struct state *s, const struct node *q)
{
	struct content c;

	if (is_header_length(q))
		return s->x_known && s->x == q->k;
	if (!node_is_packet_load(q) || t->p->node[q->t].code == (BPF_JMP | BPF_JEQ | BPF_K))
		return false;
	c = content_of(q);
	return same_content(&s->a, &c);
}

/*
 * Where an edge to node `to` may lead instead: as far as outcomes are known, to a node where A is
 * what it would have been, or is not used.
 */
static unsigned walk(struct threading *t, const struct state *s, unsigned to)
{
	struct content a = s->a;
	unsigned best = to;
	bool skipped = false; /* A is not what it would be */
	bool asked = true;    /* nothing was loaded without a comparison whose outcome is known */

	for (; t->steps; t->steps--) {
		const struct node *q = &t->p->node[to];
		struct fact f;

		if (asked && (!skipped || !t->a_live[to]))
			best = to;
		if (is_question(q, &a, &f)) {
			if (!decide(s, &f))
				break;
			to = f.holds ? q->t : q->f;
			asked = true;
		} else if (asked && is_held(t, s, q)) {
			if (!is_header_length(q)) {
				a = s->a;
				skipped = false;
			}
			to = q->t;
		} else if ((is_fixed_load(q) && asked) || (is_mask(q) && a.size)) {
			apply(&a, q);
			asked = asked && !is_fixed_load(q);
			skipped = true;
			to = q->t;
		} else {
			break;
		}
	}
	return best;
}

static void follow(struct threading *t, struct state s, unsigned *to)
{
	*to = walk(t, &s, *to);
	join(&t->at[*to], &s);
}

static void thread_node(struct threading *t, unsigned i)
{
	struct node *q = &t->p->node[i];
	struct state s = t->at[i], no;
	struct fact f;

	if (BPF_CLASS(q->code) == BPF_RET)
		return;
	if (!node_is_branch(q)) {
		apply(&s.a, q);
		apply_x(&s, q);
		follow(t, s, &q->t);
		q->f = q->t;
		return;
	}
	no = s;
	if (is_question(q, &s.a, &f)) {
		learn(&no, &f);
		f.holds = true;
		learn(&s, &f);
	}
	follow(t, s, &q->t);
	follow(t, no, &q->f);
}

/* Does the node, or what follows it, use the A that it is entered with? */
static bool is_a_live(const struct threading *t, const struct node *q, unsigned class)
{
	bool after = class != BPF_RET && (t->a_live[q->t] || t->a_live[q->f]);

	switch (class) {
	case BPF_RET:
		return BPF_RVAL(q->code) == BPF_A;
	case BPF_LD:
		return false;
	case BPF_LDX:
	case BPF_STX:
		return after;
	case BPF_MISC:
		return BPF_MISCOP(q->code) == BPF_TAX;
	case BPF_JMP:
		return node_is_branch(q) || after;
	default:
		return true;
	}
}

int thread_known(struct classic *p)
{
	struct threading t = {.p = p, .steps = (uint64_t)STEPS_PER_NODE * p->n};

	int e = -ENOMEM;

	t.at = calloc(p->n, sizeof(*t.at));
	t.a_live = calloc(p->n, sizeof(*t.a_live));
	if (t.at && t.a_live) {
		e = 0;
		for (unsigned i = p->n; i-- > 0;)
			t.a_live[i] = is_a_live(&t, &p->node[i], BPF_CLASS(p->node[i].code));
		t.at[p->entry].reached = true;
		for (unsigned i = p->entry; i < p->n; i++)
			if (t.at[i].reached)
				thread_node(&t, i);
			else /* so that no pass looks at it */
				p->node[i] = (struct node){.code = BPF_RET | BPF_K};
	}
	free(t.at);
	free(t.a_live);
	return e;
}
