/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the verifier believes about A and X. It keeps an interval and known bits of each value, and
 * follows a side of a comparison unless one of these rules it out. If only both together rule it
 * out, it goes on with an impossible value: kernels at least from 6.16 to 6.18 then print a
 * WARNING, which stops a machine with panic_on_warn. `A >= 5`, and then no bit of 0xff in a byte,
 * is enough.
 *
 * So no value is compared whose interval and bits might contradict each other afterwards: it is
 * first stored to the stack and loaded again, so that the verifier forgets what it knew.
 */
#include "plan.h"

static bool is_low_bits(uint32_t mask)
{
	return (mask & (mask + 1)) == 0;
}

static bool is_bits(uint8_t shape)
{
	return shape == SHAPE_FULL || shape == SHAPE_BITS;
}

static bool is_interval(uint8_t shape)
{
	return shape == SHAPE_FULL || shape == SHAPE_INTERVAL;
}

static uint8_t logic_with(uint8_t shape, unsigned op, uint32_t k)
{
	if (shape == SHAPE_FULL && (op == BPF_RSH || (op == BPF_AND && is_low_bits(k))))
		return SHAPE_FULL;
	if (is_bits(shape))
		return SHAPE_BITS;
	return (op == BPF_LSH || op == BPF_RSH) && shape != SHAPE_ANY ? SHAPE_ENDS : SHAPE_ANY;
}

static uint8_t alu_by_constant(uint8_t shape, unsigned op, uint32_t k)
{
	switch (op) {
	case BPF_AND:
	case BPF_OR:
	case BPF_XOR:
	case BPF_LSH:
	case BPF_RSH:
		return logic_with(shape, op, k);
	default:
		return shape == SHAPE_ANY ? SHAPE_ANY : SHAPE_ENDS;
	}
}

static uint8_t alu_by_x(const struct range *r, unsigned op)
{
	bool apart = !r->linked && r->a_shape != SHAPE_ANY && r->x_shape != SHAPE_ANY;

	switch (op) {
	case BPF_AND:
	case BPF_OR:
	case BPF_XOR:
		return is_bits(r->a_shape) && is_bits(r->x_shape) ? SHAPE_BITS : SHAPE_ANY;
	case BPF_ADD:
	case BPF_SUB:
	case BPF_MUL:
		return apart ? SHAPE_ENDS : SHAPE_ANY;
	default:
		return SHAPE_ANY;
	}
}

/* Call it for a comparison of X: the verifier's bounds of X are then no longer those of its
 * load. */
void shape_split_x(struct range *r)
{
	uint8_t before = r->x_shape == SHAPE_ANY ? SHAPE_FULL : r->x_shape;

	r->x_shape = is_interval(before) ? SHAPE_INTERVAL : SHAPE_ANY;
	r->x_max = UINT32_MAX;
	r->x_from = NEVER;
}

static void after_alu(const struct node *q, struct range *r)
{
	unsigned op = BPF_OP(q->code);

	if (!node_uses_x(q)) {
		r->a_shape = alu_by_constant(r->a_shape, op, q->k);
		r->linked = r->linked && (op == BPF_ADD || op == BPF_SUB);
		return;
	}
	if (op == BPF_DIV || op == BPF_MOD || op == BPF_LSH || op == BPF_RSH)
		shape_split_x(r);
	r->a_shape = alu_by_x(r, op);
	r->linked = false;
}

static void after_load_of_x(const struct node *q, struct range *r)
{
	r->linked = false;
	switch (BPF_MODE(q->code)) {
	case BPF_MSH:
		r->x_shape = SHAPE_BITS;
		break;
	case BPF_MEM:
		r->x_shape = SHAPE_ANY;
		break;
	default:
		r->x_shape = SHAPE_FULL;
	}
}

void shape_step(const struct node *q, struct range *r)
{
	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
		r->a_shape = BPF_MODE(q->code) == BPF_MEM ? SHAPE_ANY : SHAPE_FULL;
		r->linked = false;
		break;
	case BPF_LDX:
		after_load_of_x(q, r);
		break;
	case BPF_ALU:
		after_alu(q, r);
		break;
	case BPF_MISC:
		if (BPF_MISCOP(q->code) == BPF_TAX)
			r->x_shape = r->a_shape;
		else
			r->a_shape = r->x_shape;
		r->linked = true;
		break;
	}
}

bool shape_forgets_a(const struct node *q, const struct range *r)
{
	if (BPF_SRC(q->code) == BPF_X)
		return r->a_shape != SHAPE_FULL || !is_bits(r->x_shape) || r->linked ||
		       r->x_max == UINT32_MAX;
	if (BPF_OP(q->code) == BPF_JSET)
		return !is_bits(r->a_shape);
	return r->a_shape == SHAPE_ANY;
}

bool shape_forgets_x(const struct range *r)
{
	return r->x_shape == SHAPE_ANY;
}

bool shape_is_searched(const struct range *r)
{
	return is_interval(r->a_shape);
}

void shape_branch(const struct node *q, struct range *r)
{
	if (shape_forgets_a(q, r)) {
		r->a_shape = SHAPE_FULL;
		r->linked = false;
	}
	if (BPF_SRC(q->code) == BPF_X) {
		shape_split_x(r);
		r->a_shape = SHAPE_ANY;
	} else if (BPF_OP(q->code) == BPF_JSET) {
		r->a_shape = SHAPE_BITS;
	} else {
		r->a_shape = is_interval(r->a_shape) ? SHAPE_INTERVAL : SHAPE_ANY;
	}
	if (r->linked) {
		r->x_shape = SHAPE_ANY;
		r->x_from = NEVER;
	}
}
