/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * By helper, a chain with tests of several fields: each field is copied to the stack once, and the
 * single tests compare it there, because the frame may end among the fields. A helper call for each
 * field of each test would make the kernel take seconds to load a list of a thousand.
 */
#include "gen.h"

/* The upper halves of the slots of M[], which is not used then: as forgetful as SLOT_FORGETFUL. */
static int slot_of(const struct gen *g, const struct chain *chain, const struct field *field)
{
	unsigned i = 0;

	while (!plan_is_same_field(&chain->field[i], field))
		i++;
	return stack_at(g, SLOT_MEMORY) + 8 * (int)i + 4;
}

/*
 * A field that the frame lacks is never compared. Its slot gets an unknown value all the same, so
 * that the verifier sees no difference.
 */
static void fetch(struct gen *g, unsigned i, const struct field *field)
{
	struct code *c = g->code;
	int slot = slot_of(g, g->plan.chain[i], field), missing = code_labels(c, 1);
	struct load load = {
		.field = *field,
		.to = REG_A,
		.keep = g->plan.need[i].x_live,
	};

	code_load(c, 4, REG_A, BPF_REG_10, stack_at(g, SLOT_LENGTH));
	code_store(c, 4, BPF_REG_10, slot, REG_A);
	code_branch(c, BPF_JMP | BPF_JLT | BPF_K, REG_A, 0, (int32_t)(field->k + field->size),
		    missing);
	gen_frame_load(g, &load);
	code_store(c, 4, BPF_REG_10, slot, REG_A);
	code_place(c, missing);
}

/* *known: number of bytes that the frame has, according to earlier fields. */
static void ask(struct gen *g, const struct chain *chain, const struct field *field,
		uint32_t *known)
{
	uint32_t end = field->k + field->size;

	if (end > *known) { /* load the length again: this forgets the outcome */
		code_load(g->code, 4, REG_A, BPF_REG_10, stack_at(g, SLOT_LENGTH));
		code_branch(g->code, BPF_JMP | BPF_JLT | BPF_K, REG_A, 0, (int32_t)end, g->reject);
	}
	*known = larger(*known, end);
	code_load(g->code, 4, REG_A, BPF_REG_10, slot_of(g, chain, field));
}

static void compare(struct gen *g, const struct test *test, int hit, int miss)
{
	uint32_t all = field_ones(&test->field), mask = test->mask & all;
	unsigned size = test->field.size;
	struct code *c = g->code;

	if (test->value != test->last) {
		gen_swap(g, REG_A, size);
		code_branch(c, BPF_JMP32 | BPF_JLT | BPF_K, REG_A, 0, (int32_t)test->value, miss);
		code_branch(c, BPF_JMP32 | BPF_JLE | BPF_K, REG_A, 0, (int32_t)test->last, hit);
		return;
	}
	if (test->value & ~mask)
		return;
	if (mask != all)
		code_insn(c, BPF_ALU | BPF_AND | BPF_K, REG_A, 0, 0, (int32_t)gen_raw(mask, size));
	code_branch(c, BPF_JMP32 | BPF_JEQ | BPF_K, REG_A, 0, (int32_t)gen_raw(test->value, size),
		    hit);
}

static void gen_test(struct gen *g, const struct chain *chain, const struct test *test,
		     uint32_t *known)
{
	int hit = gen_target(g, chain->t), miss = code_labels(g->code, 1);
	uint32_t here = *known;

	for (unsigned i = 0; i < test->n_front; i++) {
		const struct part *part = &test->front[i];
		uint32_t raw = gen_raw(part->value, part->field.size);

		ask(g, chain, &part->field, &here);
		if (i == 0)
			*known = here; /* not every frame comes to the others */
		if (part->value & ~field_ones(&part->field))
			code_jump(g->code, miss);
		else
			code_branch(g->code, BPF_JMP32 | BPF_JNE | BPF_K, REG_A, 0, (int32_t)raw,
				    miss);
	}
	ask(g, chain, &test->field, &here);
	if (!test->n_front)
		*known = here;
	compare(g, test, hit, miss);
	code_place(g->code, miss);
}

void gen_parts_by_helper(struct gen *g, unsigned i)
{
	const struct chain *chain = g->plan.chain[i];
	uint32_t known = 0;

	for (unsigned k = 0; k < chain->n_fields; k++)
		fetch(g, i, &chain->field[k]);
	for (unsigned k = 0; k < chain->n; k++)
		gen_test(g, chain, &chain->test[k], &known);
}
