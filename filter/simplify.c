/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constants and copies through A, X and M[], forward; dead stores, backward. libpcap's unoptimised
 * code keeps every intermediate in M[]: without this pass an arithmetic expression of 500 terms
 * costs the verifier 17 times as much. A load from the frame is never dead: it may reject.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "classic.h"

enum { CELL_A = BPF_MEMWORDS, CELL_X, CELLS };
#define BIT(cell) (1u << (cell))
#define MEMORY	  (BIT(BPF_MEMWORDS) - 1)

enum { MAX_ROUNDS = 4 }; /* what one round leaves to the next shrinks fast */

/* What is known on entry of a node, on every path to it. */
struct values {
	bool reached;
	uint32_t known;	 /* cells whose value is a constant */
	uint32_t same_a; /* words of M[] that equal A */
	uint32_t same_x;
	uint32_t value[CELLS];
};

static void values_join(struct values *to, const struct values *from)
{
	if (!to->reached) {
		*to = *from;
		return;
	}
	to->known &= from->known;
	for (unsigned c = 0; c < CELLS; c++)
		if (to->value[c] != from->value[c])
			to->known &= ~BIT(c);
	to->same_a &= from->same_a;
	to->same_x &= from->same_x;
}

static bool is_known(const struct values *v, unsigned cell)
{
	return v->known & BIT(cell);
}

static void set_known(struct values *v, unsigned cell, uint32_t value)
{
	v->known |= BIT(cell);
	v->value[cell] = value;
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

static uint32_t compute(unsigned op, uint32_t a, uint32_t k)
{
	switch (op) {
	case BPF_ADD:
		return a + k;
	case BPF_SUB:
		return a - k;
	case BPF_MUL:
		return a * k;
	case BPF_DIV:
		return a / k;
	case BPF_MOD:
		return a % k;
	case BPF_AND:
		return a & k;
	case BPF_OR:
		return a | k;
	case BPF_XOR:
		return a ^ k;
	case BPF_LSH:
		return a << k;
	case BPF_RSH:
		return a >> k;
	default:
		return 0 - a; /* BPF_NEG */
	}
}

bool classic_compare(unsigned op, uint32_t a, uint32_t k)
{
	switch (op) {
	case BPF_JEQ:
		return a == k;
	case BPF_JGT:
		return a > k;
	case BPF_JGE:
		return a >= k;
	default:
		return a & k; /* BPF_JSET */
	}
}

/* Division by 0 rejects and a shift by 32 has no form with a constant: those stay as they are. */
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

static void rewrite_memory_load(struct node *q, const struct values *v, uint32_t same_own,
				uint32_t same_other, uint16_t immediate, uint16_t transfer)
{
	if (same_own & BIT(q->k))
		remove_node(q);
	else if (is_known(v, q->k))
		set_insn(q, immediate, v->value[q->k]);
	else if (same_other & BIT(q->k))
		set_insn(q, transfer, 0);
}

static void rewrite_load(struct node *q, const struct values *v)
{
	switch (q->code) {
	case BPF_LD | BPF_MEM:
		rewrite_memory_load(q, v, v->same_a, v->same_x, BPF_LD | BPF_IMM,
				    BPF_MISC | BPF_TXA);
		return;
	case BPF_LDX | BPF_MEM:
		rewrite_memory_load(q, v, v->same_x, v->same_a, BPF_LDX | BPF_IMM,
				    BPF_MISC | BPF_TAX);
		return;
	case BPF_MISC | BPF_TAX:
		if (is_known(v, CELL_A))
			set_insn(q, BPF_LDX | BPF_IMM, v->value[CELL_A]);
		return;
	case BPF_MISC | BPF_TXA:
		if (is_known(v, CELL_X))
			set_insn(q, BPF_LD | BPF_IMM, v->value[CELL_X]);
		return;
	}
	if (BPF_CLASS(q->code) == BPF_LD && BPF_MODE(q->code) == BPF_IND && is_known(v, CELL_X)) {
		uint64_t k = (uint64_t)q->k + v->value[CELL_X];

		if (k < ANCILLARY(0)) /* no wrapping, and nothing that reads as an ancillary load */
			set_insn(q, BPF_LD | BPF_ABS | BPF_SIZE(q->code), (uint32_t)k);
	}
}

static void rewrite_operation(struct node *q, const struct values *v)
{
	if (node_uses_x(q) && is_known(v, CELL_X) && constant_x_fits(q, v->value[CELL_X]))
		set_insn(q, (q->code & ~BPF_X) | BPF_K, v->value[CELL_X]);
	if (node_uses_x(q) || !is_known(v, CELL_A))
		return;
	if (BPF_CLASS(q->code) == BPF_ALU) {
		set_insn(q, BPF_LD | BPF_IMM, compute(BPF_OP(q->code), v->value[CELL_A], q->k));
	} else {
		if (!classic_compare(BPF_OP(q->code), v->value[CELL_A], q->k))
			q->t = q->f;
		q->f = q->t;
		remove_node(q);
	}
}

static void rewrite(struct node *q, const struct values *v)
{
	if (node_is_branch(q) && q->t == q->f)
		remove_node(q);
	else if (node_is_branch(q) || BPF_CLASS(q->code) == BPF_ALU)
		rewrite_operation(q, v);
	else
		rewrite_load(q, v);
}

static uint32_t words_equal_to(const struct values *v, uint32_t value)
{
	uint32_t words = 0;

	for (unsigned c = 0; c < BPF_MEMWORDS; c++)
		if (is_known(v, c) && v->value[c] == value)
			words |= BIT(c);
	return words;
}

/* A or X takes what a load gives. */
static void apply_load(struct values *v, const struct node *q, unsigned cell, uint32_t *same)
{
	v->known &= ~BIT(cell);
	*same = 0;
	if (BPF_MODE(q->code) == BPF_IMM) {
		set_known(v, cell, q->k);
		*same = words_equal_to(v, q->k);
	} else if (BPF_MODE(q->code) == BPF_MEM) {
		*same = BIT(q->k);
	}
}

static void apply_store(struct values *v, unsigned word, unsigned cell, uint32_t *same,
			uint32_t *same_other)
{
	v->known &= ~BIT(word);
	if (is_known(v, cell))
		set_known(v, word, v->value[cell]);
	*same |= BIT(word);
	*same_other &= ~BIT(word);
}

static void apply_copy(struct values *v, unsigned to, unsigned from)
{
	v->known &= ~BIT(to);
	if (is_known(v, from))
		set_known(v, to, v->value[from]);
}

static void apply(struct values *v, const struct node *q)
{
	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
		apply_load(v, q, CELL_A, &v->same_a);
		break;
	case BPF_LDX:
		apply_load(v, q, CELL_X, &v->same_x);
		break;
	case BPF_ST:
		apply_store(v, q->k, CELL_A, &v->same_a, &v->same_x);
		break;
	case BPF_STX:
		apply_store(v, q->k, CELL_X, &v->same_x, &v->same_a);
		break;
	case BPF_ALU:
		v->known &= ~BIT(CELL_A);
		v->same_a = 0;
		break;
	case BPF_MISC:
		if (BPF_MISCOP(q->code) == BPF_TAX) {
			apply_copy(v, CELL_X, CELL_A);
			v->same_x = v->same_a;
		} else {
			apply_copy(v, CELL_A, CELL_X);
			v->same_a = v->same_x;
		}
		break;
	}
}

static bool propagate_node(struct classic *p, struct values *at, unsigned i)
{
	struct node *q = &p->node[i], before = *q;
	struct values v = at[i];

	rewrite(q, &v);
	if (BPF_CLASS(q->code) == BPF_RET)
		return false;
	if (node_is_branch(q)) {
		values_join(&at[q->f], &v);
		if (q->code == (BPF_JMP | BPF_JEQ | BPF_K))
			set_known(&v, CELL_A, q->k);
	} else {
		apply(&v, q);
	}
	values_join(&at[q->t], &v);
	return before.code != q->code || before.k != q->k || before.t != q->t;
}

static int propagate(struct classic *p, bool *changed)
{
	struct values *at = calloc(p->n, sizeof(*at));

	if (!at)
		return -ENOMEM;
	at[p->entry].reached = true; /* all cells are 0 at the start */
	at[p->entry].known = BIT(CELLS) - 1;
	at[p->entry].same_a = at[p->entry].same_x = MEMORY;
	for (unsigned i = p->entry; i < p->n; i++)
		if (at[i].reached)
			*changed |= propagate_node(p, at, i);
	free(at);
	classic_thread(p);
	return 0;
}

static uint32_t cells_written(const struct node *q)
{
	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
	case BPF_ALU:
		return BIT(CELL_A);
	case BPF_LDX:
		return BIT(CELL_X);
	case BPF_ST:
	case BPF_STX:
		return BIT(q->k);
	case BPF_MISC:
		return BPF_MISCOP(q->code) == BPF_TAX ? BIT(CELL_X) : BIT(CELL_A);
	default:
		return 0;
	}
}

static uint32_t cells_read(const struct node *q)
{
	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
		if (BPF_MODE(q->code) == BPF_IND)
			return BIT(CELL_X);
		/* fall through */
	case BPF_LDX:
		return BPF_MODE(q->code) == BPF_MEM ? BIT(q->k) : 0;
	case BPF_ST:
		return BIT(CELL_A);
	case BPF_STX:
		return BIT(CELL_X);
	case BPF_ALU:
	case BPF_JMP:
		return BIT(CELL_A) | (node_uses_x(q) ? BIT(CELL_X) : 0);
	case BPF_RET:
		return BPF_RVAL(q->code) == BPF_A ? BIT(CELL_A) : 0;
	default:
		return BPF_MISCOP(q->code) == BPF_TAX ? BIT(CELL_A) : BIT(CELL_X);
	}
}

/* Rejects for some frame or operand, so it must stay though nobody reads its result. */
static bool may_reject(const struct node *q)
{
	unsigned op = BPF_OP(q->code);

	if (node_is_packet_load(q) || q->code == (BPF_LDX | BPF_B | BPF_MSH))
		return true;
	return BPF_CLASS(q->code) == BPF_ALU && node_uses_x(q) && (op == BPF_DIV || op == BPF_MOD);
}

static uint32_t live_before(struct node *q, const uint32_t *live, bool *changed)
{
	uint32_t after;

	if (BPF_CLASS(q->code) == BPF_RET)
		return cells_read(q);
	after = live[q->t] | live[q->f];
	if (q->code == (BPF_JMP | BPF_JA))
		return after;
	if (!node_is_branch(q) && !(cells_written(q) & after) && !may_reject(q)) {
		remove_node(q);
		*changed = true;
		return after;
	}
	return (after & ~cells_written(q)) | cells_read(q);
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
