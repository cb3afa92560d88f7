/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Computed backward: what every accepting path from a node on needs of the frame. */
#include "plan.h"

struct field node_field(const struct node *q)
{
	uint32_t mode = BPF_MODE(q->code) == BPF_IND ? BPF_IND : BPF_ABS;

	return (struct field){.mode = mode, .k = q->k, .size = node_size(q)};
}

uint32_t field_end(const struct view *v, struct field field)
{
	uint64_t end = (uint64_t)field.k + field.size;

	return end > (v->ctx == FILTER_SKB ? INT32_MAX : DIRECT_END) ? NEVER : (uint32_t)end;
}

bool field_plain(const struct view *v, struct field field)
{
	uint32_t end = field_end(v, field);

	if (!v->helper && end > DIRECT_END)
		return false;
	if (!v->tagged || field.k >= TAG_END)
		return true;
	if (field.mode == BPF_IND)
		return false;
	/* The verifier only allows aligned loads from the stack, where the tag is. */
	return end <= TAG_AT || (field.k >= TAG_AT && end <= TAG_END && field.k % field.size == 0);
}

static void need_field(const struct view *v, struct need *need, struct field field)
{
	uint32_t end = field_end(v, field);

	if (end != NEVER && !field_plain(v, field))
		return; /* this leaves the form, with its guards */
	need->abs = larger(need->abs, end);
	if (field.mode == BPF_IND)
		need->ind = larger(need->ind, end);
}

/* X gets another value, so what is needed relative to it cannot be checked before. */
static void need_new_x(struct need *need)
{
	need->x_live = false;
	need->ind = need->abs == NEVER ? NEVER : 0;
}

static struct need need_of_return(const struct node *q)
{
	if (BPF_RVAL(q->code) == BPF_A)
		return (struct need){.a_live = true};
	if (q->k)
		return (struct need){.raw_ok = true};
	return (struct need){.abs = NEVER, .ind = NEVER, .raw_ok = true};
}

static struct need need_of_branch(const struct plan *plan, const struct node *q)
{
	const struct need *t = &plan->need[q->t], *f = &plan->need[q->f];
	bool any_order =
		q->code == (BPF_JMP | BPF_JEQ | BPF_K) || q->code == (BPF_JMP | BPF_JSET | BPF_K);

	if (q->t == q->f)
		return *t;
	return (struct need){
		.abs = smaller(t->abs, f->abs),
		.ind = smaller(t->ind, f->ind),
		.a_live = true,
		.x_live = t->x_live || f->x_live || node_uses_x(q),
		.m_live = t->m_live | f->m_live,
		.raw_ok = any_order && t->raw_ok && f->raw_ok,
	};
}

static void need_before_load(const struct plan *plan, struct need *need, const struct node *q)
{
	if (BPF_MODE(q->code) == BPF_MEM)
		need->m_live |= (uint16_t)(1u << q->k);
	if (BPF_CLASS(q->code) == BPF_LDX) {
		need_new_x(need);
		if (BPF_MODE(q->code) == BPF_MSH)
			need_field(&plan->view, need, node_field(q));
		if (need->abs == NEVER)
			need->ind = NEVER;
		return;
	}
	need->a_live = false;
	need->raw_ok = true;
	if (node_is_packet_load(q)) {
		need_field(&plan->view, need, node_field(q));
		if (BPF_MODE(q->code) == BPF_IND)
			need->x_live = true;
	}
}

static void need_before_copy(struct need *need, const struct node *q)
{
	if (BPF_MISCOP(q->code) == BPF_TAX) {
		need_new_x(need);
		need->a_live = true;
		need->raw_ok = false;
	} else {
		need->a_live = false;
		need->x_live = true;
		need->raw_ok = true;
	}
}

static struct need need_before(const struct plan *plan, const struct node *q)
{
	struct need need;

	if (BPF_CLASS(q->code) == BPF_RET)
		return need_of_return(q);
	if (node_is_branch(q))
		return need_of_branch(plan, q);
	need = plan->need[q->t];
	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
	case BPF_LDX:
		need_before_load(plan, &need, q);
		break;
	case BPF_ST:
		need.m_live &= (uint16_t) ~(1u << q->k);
		need.a_live = true;
		need.raw_ok = false;
		break;
	case BPF_ALU:
		need.a_live = true;
		need.x_live = need.x_live || node_uses_x(q);
		need.raw_ok = false;
		break;
	case BPF_STX:
		need.m_live &= (uint16_t) ~(1u << q->k);
		need.x_live = true;
		break;
	case BPF_MISC:
		need_before_copy(&need, q);
		break;
	}
	return need;
}

bool plan_rejects(const struct plan *plan, unsigned i)
{
	return plan->need[i].abs == NEVER;
}

uint32_t plan_guard(const struct plan *plan, unsigned i, uint32_t end)
{
	return plan->view.disable & FILTER_NO_HOIST ? end : larger(end, plan->need[i].abs);
}

uint32_t plan_guard_x(const struct plan *plan, unsigned i, uint32_t end)
{
	return plan->view.disable & FILTER_NO_HOIST ? end : larger(end, plan->need[i].ind);
}

void plan_needs(struct plan *plan)
{
	for (unsigned i = plan->p->n; i-- > 0;)
		plan->need[i] = need_before(plan, &plan->p->node[i]);
}
