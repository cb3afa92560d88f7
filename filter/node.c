/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Emits one node after the other: guarded loads, arithmetic, comparisons, returns. */
#include <stddef.h>

#include "gen.h"

/* The node that is emitted, and what is known there. */
struct place {
	unsigned i;
	const struct node *q;
	struct range range;
};

static int memory_at(const struct gen *g, uint32_t word)
{
	return stack_at(g, SLOT_MEMORY) + 4 * (int)word;
}

static int skb_field(uint32_t what)
{
	switch (what) {
	case ANCILLARY(SKF_AD_IFINDEX):
		return offsetof(struct __sk_buff, ifindex);
	case ANCILLARY(SKF_AD_VLAN_TAG):
		return offsetof(struct __sk_buff, vlan_tci);
	case ANCILLARY(SKF_AD_VLAN_TAG_PRESENT):
		return offsetof(struct __sk_buff, vlan_present);
	case ANCILLARY(SKF_AD_PROTOCOL):
		return offsetof(struct __sk_buff, protocol);
	case ANCILLARY(SKF_AD_PKTTYPE):
		return offsetof(struct __sk_buff, pkt_type);
	default:
		return offsetof(struct __sk_buff, queue_mapping);
	}
}

/* Offset in the context of what a load asks for. */
static int context_field(enum filter_ctx ctx, uint32_t what)
{
	bool ifindex = what == ANCILLARY(SKF_AD_IFINDEX);

	switch (ctx) {
	case FILTER_XDP:
		return ifindex ? offsetof(struct xdp_md, ingress_ifindex)
			       : offsetof(struct xdp_md, rx_queue_index);
	case FILTER_BUFF:
		return ifindex ? FILTER_BUFF_IFINDEX : FILTER_BUFF_QUEUE;
	default:
		return skb_field(what);
	}
}

static void load_context(struct gen *g, uint32_t what)
{
	struct code *c = g->code;
	int off = context_field(g->plan.view.ctx, what);

	if (g->plan.view.helper) {
		gen_context(g);
	}
	code_load(c, 4, REG_A, REG_CTX, off);
	if (what == ANCILLARY(SKF_AD_PROTOCOL)) /* in network byte order */
		gen_swap(g, REG_A, 2);
}

/* The guard's scratch register is the one that the load will overwrite. */
static void guard(struct gen *g, const struct place *at, const struct field *field, int to)
{
	const struct view *v = &g->plan.view;
	uint32_t end = field_end(v, *field);

	if (v->helper || !field_plain(v, *field))
		return;
	if (field->mode == BPF_ABS) {
		if (at->range.known < end)
			gen_guard(g, to, plan_guard(&g->plan, at->i, end), g->brief);
	} else if (at->range.known_x < end) {
		gen_guard_x(g, &at->range, plan_guard_x(&g->plan, at->i, end),
			    v->ctx == FILTER_XDP ? g->reject : g->beyond, g->brief);
	}
}

static void load_packet(struct gen *g, const struct place *at)
{
	const struct need *after = &g->plan.need[at->q->t];
	bool msh = at->q->code == (BPF_LDX | BPF_B | BPF_MSH);
	struct load load = {
		.field = node_field(at->q),
		.to = msh ? REG_X : REG_A,
		.keep = msh ? after->a_live : after->x_live,
	};

	guard(g, at, &load.field, load.to);
	gen_frame_load(g, &load);
	if (msh) {
		code_insn(g->code, BPF_ALU | BPF_AND | BPF_K, REG_X, 0, 0, 0xf);
		code_insn(g->code, BPF_ALU | BPF_LSH | BPF_K, REG_X, 0, 0, 2);
	} else if (plan_raw(&g->plan, at->i)) {
		g->out->raw++;
	} else {
		gen_swap(g, REG_A, load.field.size);
	}
}

static void gen_node_load(struct gen *g, const struct place *at)
{
	const struct node *q = at->q;
	int to = BPF_CLASS(q->code) == BPF_LDX ? REG_X : REG_A;

	if (node_is_context_load(q)) {
		load_context(g, q->k);
		return;
	}
	switch (BPF_MODE(q->code)) {
	case BPF_IMM:
		code_set(g->code, to, q->k);
		break;
	case BPF_LEN:
		gen_length(g, to);
		break;
	case BPF_MEM:
		code_load(g->code, 4, to, BPF_REG_10, memory_at(g, q->k));
		break;
	default:
		load_packet(g, at);
	}
}

static void divide(struct gen *g, unsigned op)
{
	code_branch(g->code, BPF_JMP32 | BPF_JEQ | BPF_K, REG_X, 0, 0, g->reject);
	code_insn(g->code, BPF_ALU | op | BPF_X, REG_A, REG_X, 0, 0);
}

/* The processor shifts modulo 32, libpcap does not. */
static void shift(struct gen *g, unsigned op)
{
	int fits = code_labels(g->code, 1);

	code_branch(g->code, BPF_JMP32 | BPF_JLT | BPF_K, REG_X, 0, 32, fits);
	code_set(g->code, REG_A, 0);
	code_place(g->code, fits);
	code_insn(g->code, BPF_ALU | op | BPF_X, REG_A, REG_X, 0, 0);
}

static void gen_alu(struct gen *g, const struct place *at)
{
	const struct node *q = at->q;
	unsigned op = BPF_OP(q->code);
	bool shifts = op == BPF_LSH || op == BPF_RSH, divides = op == BPF_DIV || op == BPF_MOD;

	if (!node_uses_x(q)) {
		code_insn(g->code, BPF_ALU | op | BPF_K, REG_A, 0, 0,
			  op == BPF_NEG ? 0 : (int32_t)q->k);
		return;
	}
	if ((shifts || divides) && shape_forgets_x(&at->range))
		gen_forget(g, REG_X, REG_X);
	if (divides)
		divide(g, op);
	else if (shifts)
		shift(g, op);
	else
		code_insn(g->code, BPF_ALU | op | BPF_X, REG_A, REG_X, 0, 0);
}

/* next: the label that is placed right after this, or -1. */
static void gen_comparison(struct gen *g, const struct place *at, int next)
{
	struct code *c = g->code;
	const struct node *q = at->q;
	unsigned op = BPF_OP(q->code), source = BPF_SRC(q->code);
	uint8_t raw = plan_raw(&g->plan, g->plan.a_from[at->i]);
	int t = gen_target(g, q->t), f = gen_target(g, q->f);
	uint32_t k = q->k;

	if (raw) {
		uint32_t all = raw == 2 ? UINT16_MAX : UINT32_MAX;

		if (op == BPF_JEQ && (k & ~all)) /* more bits than were loaded */
			t = f;
		k = gen_raw(k & all, raw);
	}
	if (t != f && shape_forgets_a(q, &at->range))
		gen_forget(g, REG_A, REG_A);
	if (t != f && source == BPF_X && shape_forgets_x(&at->range))
		gen_forget(g, REG_X, REG_X);
	if (t == f) {
		if (f != next)
			code_jump(c, f);
	} else if (t == next && code_inverse(op)) {
		code_branch(c, BPF_JMP32 | code_inverse(op) | source, REG_A,
			    source == BPF_X ? REG_X : 0, source == BPF_X ? 0 : (int32_t)k, f);
	} else {
		code_branch(c, BPF_JMP32 | op | source, REG_A, source == BPF_X ? REG_X : 0,
			    source == BPF_X ? 0 : (int32_t)k, t);
		if (f != next)
			code_jump(c, f);
	}
}

static void gen_return(struct gen *g, const struct node *q)
{
	if (BPF_RVAL(q->code) == BPF_K)
		code_set(g->code, BPF_REG_0, q->k);
	code_insn(g->code, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void gen_straight(struct gen *g, const struct place *at)
{
	const struct node *q = at->q;

	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
	case BPF_LDX:
		gen_node_load(g, at);
		break;
	case BPF_ST:
		code_store(g->code, 4, BPF_REG_10, memory_at(g, q->k), REG_A);
		break;
	case BPF_STX:
		code_store(g->code, 4, BPF_REG_10, memory_at(g, q->k), REG_X);
		break;
	case BPF_ALU:
		gen_alu(g, at);
		break;
	case BPF_MISC:
		if (BPF_MISCOP(q->code) == BPF_TAX)
			code_move(g->code, REG_X, REG_A);
		else
			code_move(g->code, REG_A, REG_X);
		break;
	}
}

static void gen_node(struct gen *g, const struct place *at, int next)
{
	const struct node *q = at->q;

	if (BPF_CLASS(q->code) == BPF_RET) {
		gen_return(g, q);
	} else if (plan_load_fails(&g->plan, at->i, &at->range)) {
		code_jump(g->code, g->plan.view.helper ? g->reject : g->brief);
	} else if (node_is_branch(q)) {
		gen_comparison(g, at, next);
	} else {
		gen_straight(g, at);
		if (gen_target(g, q->t) != next)
			code_jump(g->code, gen_target(g, q->t));
	}
}

static int next_label(const struct gen *g, unsigned i)
{
	for (i++; i < g->plan.p->n; i++)
		if (g->plan.reached[i])
			return g->node_label + (int)i;
	return -1;
}

static void forget(struct gen *g, const struct need *need)
{
	if (need->a_live)
		gen_forget(g, REG_A, REG_A);
	if (need->x_live)
		gen_forget(g, REG_X, REG_X);
}

void gen_body(struct gen *g)
{
	const struct plan *plan = &g->plan;

	if (plan_rejects(plan, plan->p->entry))
		code_jump(g->code, g->reject);
	for (unsigned i = plan->p->entry; i < plan->p->n; i++) {
		struct place at = {.i = i, .q = &plan->p->node[i], .range = plan->range[i]};
		const struct chain *chain = plan->chain[i];

		if (!plan->reached[i])
			continue;
		g->code->current_origin = (int)at.q->origin;
		code_place(g->code, g->node_label + (int)i);
		if (at.q->meeting)
			forget(g, &plan->need[i]);
		if (chain) {
			gen_chain(g, i);
			if (!chain->linear)
				continue;
			code_place(g->code, g->tests_label + (int)i);
			plan_chain_failed(chain, &at.range);
		}
		if (plan->spans[i])
			gen_spans(g, i);
		else
			gen_node(g, &at, next_label(g, i));
	}
	g->code->current_origin = -1;
}
