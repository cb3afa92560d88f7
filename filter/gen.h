/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* Emission of one form of a program. */
#include "code.h"
#include "plan.h"

/*
 * A is r0, so that RET A is an exit. Helper forms hold A and X in the same registers, and save a
 * live one around calls, because they must not use r6-r9, which are the host's.
 */
enum {
	REG_A = BPF_REG_0,
	REG_CTX = BPF_REG_1,  /* direct forms; helper forms keep it on the stack */
	REG_DATA = BPF_REG_2, /* direct forms */
	REG_END = BPF_REG_3,  /* direct forms */
	REG_X = BPF_REG_4,
	REG_P = BPF_REG_5, /* data + X, direct forms */
};

/* Stack offsets, relative to options.stack_top. */
enum {
	SLOT_CTX = -8,
	SLOT_X = -16, /* X or the linear length */
	SLOT_A = -24,
	/* Half of a slot: the verifier forgets what it knows of a value that is stored here. */
	SLOT_FORGETFUL = -20,
	SLOT_LENGTH = -28,  /* of the frame as recorded, 32 bits; also forgetful */
	SLOT_WINDOW = -48,  /* bytes 8 to 18 of a tagged frame as recorded */
	SLOT_SCRATCH = -56, /* where helpers load to */
	SLOT_MEMORY = -120, /* M[] */
};
#define WINDOW_AT 8u

struct gen {
	struct code *code;
	const struct filter_options *options;
	struct plan plan;
	struct filter_code *out; /* for its counts */
	uint16_t zero_words;	 /* words of M[] that may be read before they are written */
	bool needs_length;
	int reject;	 /* label: return 0 */
	int brief;	 /* label: the linear part is too short */
	int beyond;	 /* label: the helper form, whatever the length of the linear part */
	int node_label;	 /* the first of n labels */
	int tests_label; /* the first of n labels: the tests of a chain, one by one */
};

static inline int stack_at(const struct gen *g, int slot)
{
	return g->options->stack_top + slot;
}

static inline bool is_xdp(const struct gen *g)
{
	return g->plan.view.ctx == FILTER_XDP;
}

/* Label to jump to for node i. */
static inline int gen_target(const struct gen *g, unsigned i)
{
	return plan_rejects(&g->plan, i) ? g->reject : g->node_label + (int)i;
}

/* Copies a value such that the verifier knows nothing of it. */
static inline void gen_forget(struct gen *g, int to, int from)
{
	code_store(g->code, 4, BPF_REG_10, stack_at(g, SLOT_FORGETFUL), from);
	code_load(g->code, 4, to, BPF_REG_10, stack_at(g, SLOT_FORGETFUL));
}

/* Loads the context, which helper forms keep on the stack, into r1. */
static inline void gen_context(struct gen *g)
{
	code_load(g->code, 8, BPF_REG_1, BPF_REG_10, stack_at(g, SLOT_CTX));
}

/* load.c: loads into A or X, in network order. */
struct load {
	struct field field;
	int to;	   /* REG_A or REG_X */
	bool keep; /* the other one of A and X is live, and must survive */
};
void gen_frame_load(struct gen *g, const struct load *load);
void gen_swap(struct gen *g, int reg, unsigned size);
uint32_t gen_raw(uint32_t k, unsigned size); /* a constant as such a field is in memory */
void gen_window(struct gen *g);	   /* helper form of a tagged frame, before A and X are set */
void gen_store_tag(struct gen *g); /* r1 must be the context; clobbers r0 */
void gen_length(struct gen *g, int to);
void gen_guard(struct gen *g, int scratch, uint32_t end, int fail);
void gen_guard_x(struct gen *g, const struct range *r, uint32_t end, int beyond, int fail);
/* Helper form: r0 must be the length. Jumps to fail unless all of the chain's fields exist. */
void gen_guard_length(struct gen *g, const struct chain *chain, int fail);

/* node.c: the body of a form, from the plan's entry. */
void gen_body(struct gen *g);

/* form.c: the whole program, in the forms that the options ask for. */
int gen_program(const struct classic *p, const struct filter_options *options,
		struct filter_code *out, char *err, size_t errlen);

/* search.c: the chain that starts at node i; short frames go on at its label for single tests. */
void gen_chain(struct gen *g, unsigned i);

/* parts.c: the tests of such a chain with several fields each, one by one, by helper. */
void gen_parts_by_helper(struct gen *g, unsigned i);

/* bounds.c: the list of spans that starts at node i. */
void gen_spans(struct gen *g, unsigned i);
/* Is A within bounds (struct spans)? Jumps to the label `in` or `out`. */
void gen_bounds(struct code *code, const uint32_t *bound, unsigned n, int in, int out);
