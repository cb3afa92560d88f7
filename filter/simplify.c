/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Propagates constants and copies through A, X and M[], forward, and removes dead stores, backward.
 * libpcap's unoptimized code keeps every intermediate result in M[]: without this pass, an
 * arithmetic expression of 500 terms costs the verifier 17 times as much. A load from the frame is
 * never dead, because it may reject.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "classic.h"

enum { CELL_A = BPF_MEMWORDS, CELL_X, CELLS };
#define BIT(cell) (1u << (cell))

enum { MAX_ROUNDS = 4 }; /* each round leaves much less to the next */

/* What a cell contains: a constant, or something else, which has a number of its own. */
struct value {
	bool constant;
	uint32_t is;
};

/* On entry to a node, on every path to it. */
struct values {
	bool reached;
	struct value cell[CELLS];
};

struct propagation {
	struct classic *p;
	struct values *at;
	uint32_t next; /* a number that no value has yet */
	bool changed;
};

static struct value constant(uint32_t k)
{
	return (struct value){.constant = true, .is = k};
}

static bool same_value(struct value a, struct value b)
{
	return a.constant == b.constant && a.is == b.is;
}

static struct value unknown(struct propagation *pass)
{
	return (struct value){.is = pass->next++};
}

static void join(struct propagation *pass, unsigned at, const struct values *from)
{
	struct values *to = &pass->at[at];

	if (!to->reached) {
		*to = *from;
		return;
	}
	for (unsigned c = 0; c < CELLS; c++)
		if (!same_value(to->cell[c], from->cell[c]))
			to->cell[c] = unknown(pass);
}

static void remove_node(struct node *q)
{
	q->code = BPF_JMP | BPF_JA;
	q->k = 0;
}

static void set_insn(struct node *q, uint16_t code, uint32_t k)
{
	q->code = code;
	q->k = k;
}

/* The cell that an instruction writes, or -1. */
static int cell_written(const struct node *q)
{
	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
	case BPF_ALU:
		return CELL_A;
	case BPF_LDX:
		return CELL_X;
	case BPF_ST:
	case BPF_STX:
		return (int)q->k;
	case BPF_MISC:
		return BPF_MISCOP(q->code) == BPF_TAX ? CELL_X : CELL_A;
	default:
		return -1;
	}
}

/* The cell that an instruction copies to another, or -1. */
static int cell_copied(const struct node *q)
{
	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
	case BPF_LDX:
		return BPF_MODE(q->code) == BPF_MEM ? (int)q->k : -1;
	case BPF_ST:
		return CELL_A;
	case BPF_STX:
		return CELL_X;
	case BPF_MISC:
		return BPF_MISCOP(q->code) == BPF_TAX ? CELL_A : CELL_X;
	default:
		return -1;
	}
}

/* Division by 0 rejects, and a shift by 32 has no form with a constant: these stay as they are. */
static bool constant_x_fits(const struct node *q, uint32_t x)
{
	if (BPF_CLASS(q->code) != BPF_ALU)
		return true;
	switch (BPF_OP(q->code)) {
	case BPF_DIV:
	case BPF_MOD:
		return x != 0;
	case BPF_LSH:
	case BPF_RSH:
		return x < 32;
	default:
		return true;
	}
}

/* A or X gets what another cell contains. */
static void rewrite_copy(struct node *q, const struct values *v, struct value is)
{
	bool to_a = cell_written(q) == CELL_A;

	if (same_value(v->cell[cell_written(q)], is))
		remove_node(q);
	else if (is.constant)
		set_insn(q, (to_a ? BPF_LD : BPF_LDX) | BPF_IMM, is.is);
	else if (same_value(v->cell[to_a ? CELL_X : CELL_A], is))
		set_insn(q, BPF_MISC | (to_a ? BPF_TXA : BPF_TAX), 0);
}

static void rewrite_indexed_load(struct node *q, struct value x)
{
	uint64_t k = (uint64_t)q->k + x.is;

	if (x.constant && k < ANCILLARY(0)) /* it neither wraps nor reads as ancillary */
		set_insn(q, BPF_LD | BPF_ABS | BPF_SIZE(q->code), (uint32_t)k);
}

static void rewrite_operation(struct node *q, const struct values *v)
{
	struct value a = v->cell[CELL_A], x = v->cell[CELL_X];

	if (node_uses_x(q) && x.constant && constant_x_fits(q, x.is))
		set_insn(q, (q->code & ~BPF_X) | BPF_K, x.is);
	if (node_uses_x(q) || !a.constant)
		return;
	if (BPF_CLASS(q->code) == BPF_ALU) {
		set_insn(q, BPF_LD | BPF_IMM, classic_compute(BPF_OP(q->code), a.is, q->k));
	} else {
		if (!classic_compare(BPF_OP(q->code), a.is, q->k))
			q->t = q->f;
		q->f = q->t;
		remove_node(q);
	}
}

static void rewrite(struct node *q, const struct values *v)
{
	unsigned class = BPF_CLASS(q->code);

	if (node_is_branch(q) && q->t == q->f)
		remove_node(q);
	else if (node_is_branch(q) || class == BPF_ALU)
		rewrite_operation(q, v);
	else if (class == BPF_LD && BPF_MODE(q->code) == BPF_IND)
		rewrite_indexed_load(q, v->cell[CELL_X]);
	else if (cell_copied(q) >= 0 && class != BPF_ST && class != BPF_STX)
		rewrite_copy(q, v, v->cell[cell_copied(q)]);
}

static void apply(struct propagation *pass, struct values *v, const struct node *q)
{
	int to = cell_written(q), from = cell_copied(q);
	bool load = BPF_CLASS(q->code) == BPF_LD || BPF_CLASS(q->code) == BPF_LDX;

	if (to < 0)
		return;
	if (from >= 0)
		v->cell[to] = v->cell[from];
	else if (load && BPF_MODE(q->code) == BPF_IMM)
		v->cell[to] = constant(q->k);
	else
		v->cell[to] = unknown(pass);
}

static void propagate_node(struct propagation *pass, unsigned i)
{
	struct node *q = &pass->p->node[i], before = *q;
	struct values v = pass->at[i];

	rewrite(q, &v);
	if (BPF_CLASS(q->code) == BPF_RET)
		return;
	apply(pass, &v, q);
	join(pass, q->t, &v);
	if (q->f != q->t)
		join(pass, q->f, &v);
	pass->changed |= before.code != q->code || before.k != q->k || before.t != q->t;
}

static int propagate(struct classic *p, bool *changed)
{
	struct propagation pass = {.p = p, .at = calloc(p->n, sizeof(*pass.at))};

	if (!pass.at)
		return -ENOMEM;
	pass.at[p->entry].reached = true;
	for (unsigned c = 0; c < CELLS; c++)
		pass.at[p->entry].cell[c] = constant(0);
	for (unsigned i = p->entry; i < p->n; i++)
		if (pass.at[i].reached)
			propagate_node(&pass, i);
	*changed |= pass.changed;
	free(pass.at);
	classic_thread(p);
	return 0;
}

static uint32_t cells_read(const struct node *q)
{
	if (cell_copied(q) >= 0)
		return BIT(cell_copied(q));
	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
		return BPF_MODE(q->code) == BPF_IND ? BIT(CELL_X) : 0;
	case BPF_ALU:
	case BPF_JMP:
		return BIT(CELL_A) | (node_uses_x(q) ? BIT(CELL_X) : 0);
	case BPF_RET:
		return BPF_RVAL(q->code) == BPF_A ? BIT(CELL_A) : 0;
	default:
		return 0;
	}
}

/* Does it reject for some frame or operand? Then it must stay even if its result is not used. */
static bool may_reject(const struct node *q)
{
	unsigned op = BPF_OP(q->code);

	if (node_is_packet_load(q) || q->code == (BPF_LDX | BPF_B | BPF_MSH))
		return true;
	return BPF_CLASS(q->code) == BPF_ALU && node_uses_x(q) && (op == BPF_DIV || op == BPF_MOD);
}

static uint32_t live_before(struct node *q, const uint32_t *live, bool *changed)
{
	int written = cell_written(q);
	uint32_t after, result = written < 0 ? 0 : BIT(written);

	if (BPF_CLASS(q->code) == BPF_RET)
		return cells_read(q);
	after = live[q->t] | live[q->f];
	if (q->code == (BPF_JMP | BPF_JA))
		return after;
	if (result && !(result & after) && !may_reject(q)) {
		remove_node(q);
		*changed = true;
		return after;
	}
	return (after & ~result) | cells_read(q);
}

static int remove_dead(struct classic *p, bool *changed)
{
	uint32_t *live = calloc(p->n, sizeof(*live));

	if (!live)
		return -ENOMEM;
	for (unsigned i = p->n; i-- > 0;)
		live[i] = live_before(&p->node[i], live, changed);
	free(live);
	classic_thread(p);
	return 0;
}

int simplify(struct classic *p)
{
	bool changed = true;

	for (unsigned round = 0; round < MAX_ROUNDS && changed; round++) {
		int e;

		changed = false;
		e = propagate(p, &changed);
		if (!e)
			e = remove_dead(p, &changed);
		if (e)
			return e;
	}
	return 0;
}
