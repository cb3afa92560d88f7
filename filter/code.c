/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "filter.h"
#include "island.h"

/*
 * The verifier follows the side that falls through, and keeps the other one pending: at most 8192.
 * From this count on, code is arranged so that the jump's side falls through: it is short, and soon
 * done.
 */
#define BREAK_AFTER 5000

struct fixup {
	unsigned at;
	int label;
};

/* Returns the array, moved if it had to grow. If it could not, sets out_of_memory and keeps it. */
static void *grow(struct code *c, void *array, unsigned *size, unsigned need, size_t element)
{
	unsigned want = *size ? *size : 256;
	void *p;

	if (need <= *size || c->out_of_memory)
		return array;
	while (want < need)
		want *= 2;
	p = realloc(array, want * element);
	if (!p) {
		c->out_of_memory = true;
		return array;
	}
	*size = want;
	return p;
}

int code_labels(struct code *c, unsigned n)
{
	int first = (int)c->n_labels;

	c->label = grow(c, c->label, &c->labels_size, c->n_labels + n, sizeof(*c->label));
	if (c->out_of_memory)
		return first;
	for (unsigned i = 0; i < n; i++)
		c->label[c->n_labels++] = -1;
	return first;
}

void code_place(struct code *c, int label)
{
	if (!c->out_of_memory)
		c->label[label] = (int)c->len;
}

bool code_label_used(const struct code *c, int label)
{
	for (unsigned i = 0; i < c->n_fixups; i++)
		if (c->fixups[i].label == label)
			return true;
	return false;
}

void code_insn(struct code *c, uint8_t op, int dst, int src, int off, int32_t imm)
{
	c->origin = grow(c, c->origin, &c->origins_size, c->len + 1, sizeof(*c->origin));
	c->insns = grow(c, c->insns, &c->insns_size, c->len + 1, sizeof(*c->insns));
	if (c->out_of_memory)
		return;
	c->origin[c->len] = c->current_origin;
	c->insns[c->len++] = (struct bpf_insn){.code = op,
					       .dst_reg = (uint8_t)dst & 0xf,
					       .src_reg = (uint8_t)src & 0xf,
					       .off = (int16_t)off,
					       .imm = imm};
}

static void aim(struct code *c, int label)
{
	c->fixups = grow(c, c->fixups, &c->fixups_size, c->n_fixups + 1, sizeof(*c->fixups));
	if (!c->out_of_memory)
		c->fixups[c->n_fixups++] = (struct fixup){.at = c->len - 1, .label = label};
}

void code_jump(struct code *c, int label)
{
	code_insn(c, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	aim(c, label);
}

uint8_t code_inverse(unsigned op)
{
	switch (op) {
	case BPF_JEQ:
		return BPF_JNE;
	case BPF_JNE:
		return BPF_JEQ;
	case BPF_JGT:
		return BPF_JLE;
	case BPF_JLE:
		return BPF_JGT;
	case BPF_JGE:
		return BPF_JLT;
	case BPF_JLT:
		return BPF_JGE;
	default:
		return 0;
	}
}

void code_branch(struct code *c, uint8_t op, int dst, int src, int32_t imm, int label)
{
	uint8_t inverted = code_inverse(BPF_OP(op));
	int past;

	if (c->branches++ < BREAK_AFTER || !c->break_branches || !inverted) {
		code_insn(c, op, dst, src, 0, imm);
		aim(c, label);
		return;
	}
	past = code_labels(c, 1);
	code_insn(c, (op & ~0xf0) | inverted, dst, src, 0, imm);
	aim(c, past);
	code_jump(c, label);
	code_place(c, past);
}

void code_move(struct code *c, int dst, int src)
{
	code_insn(c, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void code_set(struct code *c, int dst, uint32_t value)
{
	code_insn(c, BPF_ALU | BPF_MOV | BPF_K, dst, 0, 0, (int32_t)value);
}

void code_add(struct code *c, int dst, int32_t value)
{
	if (value)
		code_insn(c, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, value);
}

static uint8_t size_bits(unsigned size)
{
	switch (size) {
	case 8:
		return BPF_DW;
	case 4:
		return BPF_W;
	case 2:
		return BPF_H;
	default:
		return BPF_B;
	}
}

void code_load(struct code *c, unsigned size, int dst, int base, int off)
{
	code_insn(c, BPF_LDX | BPF_MEM | size_bits(size), dst, base, off, 0);
}

void code_store(struct code *c, unsigned size, int base, int off, int src)
{
	code_insn(c, BPF_STX | BPF_MEM | size_bits(size), base, src, off, 0);
}

void code_call(struct code *c, int helper)
{
	code_insn(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/* Working arrays of code_finish(). */
struct finish {
	unsigned *target; /* per instruction: its jump target, or NOWHERE */
	unsigned *moved;  /* per instruction: index after removal */
	unsigned *stack;
	bool *live;
};

static void mark(struct finish *w, unsigned *depth, unsigned i)
{
	if (!w->live[i]) {
		w->live[i] = true;
		w->stack[(*depth)++] = i;
	}
}

/* False if a label was never placed, which would be a bug in the emitter. */
static bool find_targets(const struct code *c, struct finish *w)
{
	for (unsigned i = 0; i < c->len; i++)
		w->target[i] = NOWHERE;
	for (unsigned i = 0; i < c->n_fixups; i++) {
		int at = c->label[c->fixups[i].label];

		if (at < 0 || at >= (int)c->len)
			return false;
		w->target[c->fixups[i].at] = (unsigned)at;
	}
	return true;
}

static void mark_live(const struct code *c, struct finish *w)
{
	unsigned depth = 0;

	mark(w, &depth, 0);
	while (depth) {
		unsigned i = w->stack[--depth];

		if (is_jump(&c->insns[i]))
			mark(w, &depth, w->target[i]);
		if (falls_through(&c->insns[i]))
			mark(w, &depth, i + 1);
	}
}

static void compact(struct code *c, struct finish *w)
{
	unsigned len = 0;

	for (unsigned i = 0; i < c->len; i++) {
		w->moved[i] = len;
		if (!w->live[i])
			continue;
		c->insns[len] = c->insns[i];
		c->origin[len++] = c->origin[i];
	}
	for (unsigned i = 0; i < c->len;
	     i++) /* entries only move down, so none is overwritten before it is read */
		if (w->live[i])
			w->target[w->moved[i]] =
				w->target[i] == NOWHERE ? NOWHERE : w->moved[w->target[i]];
	c->len = len;
}

/* Islands have no origin. */
static int move_out(struct code *c, const struct finish *w, struct filter_code *out)
{
	struct aimed aimed = {.insns = c->insns, .target = w->target, .n = c->len};
	int e = island_resolve(&aimed, &out->insns, &out->len, w->moved);

	if (e)
		return e;
	out->origin = malloc(out->len * sizeof(*out->origin));
	if (!out->origin) {
		free(out->insns);
		out->insns = NULL;
		return -ENOMEM;
	}
	for (unsigned i = 0; i < out->len; i++)
		out->origin[i] = -1;
	for (unsigned i = 0; i < c->len; i++)
		out->origin[w->moved[i]] = c->origin[i];
	return 0;
}

int code_finish(struct code *c, struct filter_code *out)
{
	struct finish w = {
		.target = calloc(c->len, sizeof(*w.target)),
		.moved = calloc(c->len, sizeof(*w.moved)),
		.stack = calloc(c->len, sizeof(*w.stack)),
		.live = calloc(c->len, sizeof(*w.live)),
	};
	bool room = !c->out_of_memory && w.target && w.moved && w.stack && w.live;
	int e = room ? -EFAULT : -ENOMEM;

	if (room && find_targets(c, &w)) {
		mark_live(c, &w);
		compact(c, &w);
		e = move_out(c, &w, out);
	}
	free(w.target);
	free(w.moved);
	free(w.stack);
	free(w.live);
	return e;
}

void code_free(struct code *c)
{
	free(c->insns);
	free(c->origin);
	free(c->label);
	free(c->fixups);
	memset(c, 0, sizeof(*c));
}
